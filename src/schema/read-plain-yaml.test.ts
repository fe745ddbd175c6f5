import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseYaml } from './parse-yaml.ts';
import { readPlainYaml } from './read-plain-yaml.ts';
import { createLocate } from './source-positions.ts';
import type { Locate } from './source-positions.ts';
import type { YamlNode } from './yaml-node.ts';

/** Values and the places that messages show. */
function shape(node: YamlNode, locate: Locate): unknown {
  const { line, column, length } = locate(node.start, node.end);
  // Where a collection ends is no matter: of a long one, the first line is shown.
  const place = node.kind === 'scalar' ? `${line}:${column}+${length}` : `${line}:${column}`;
  switch (node.kind) {
    case 'scalar':
      return [place, node.value, node.source];
    case 'list':
      return [place, node.items.map((item) => shape(item, locate))];
    case 'map':
      return [place, node.entries.map(({ key, value }) => [shape(key, locate), shape(value, locate)])];
  }
}

/** What the two readers make of a text; `plain` is undefined where the fast one declines. */
function both(text: string): { readonly plain: unknown; readonly library: unknown } {
  const locate = createLocate({ file: 'a.yaml', text });
  const plain = readPlainYaml(text);
  const library = parseYaml(text, locate).value;
  return { plain: plain && shape(plain, locate), library: library && shape(library, locate) };
}

/** Mostly plain, so that much is compared; what is not must be left to the library. */
const rarely = (usual: readonly string[], odd: readonly string[]) =>
  fc.oneof({ weight: 120, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: fc.constantFrom(...odd) });

describe('the fast reader', () => {
  it('reads the usual forms, as the library does', () => {
    const text = `
# A comment: with everything { in it
name: my blog   # and one after a value
databases: [sqlite, "postgres" ]
locales:
- en
- 'fr-FR'

api: {}
contentTypes:
  work-item:  # the key
    description: "Some text: with # signs, and {braces}"
    attributes:
      title: { type: string, required: true, maxLength: 120, min: -1.50 }
      state:
        type: enumeration
        enum:
          - idea
          - ready   # almost
        default: idea
permissions:
  public:
    '*': '*'
    upload: [find]
`;
    const { plain, library } = both(text);
    expect(plain).toBeDefined();
    expect(plain).toEqual(library);
  });

  it.each([
    ['anchors', 'a: &x b\n'],
    ['aliases', 'a: *x\n'],
    ['tags', 'a: !!str b\n'],
    ['block texts', 'a: |\n  b\n'],
    ['texts over several lines', 'a: b\n  c\n'],
    ['collections over several lines', 'a: [b,\n  c]\n'],
    ['missing values', 'a:\nb: c\n'],
    ['escapes', 'a: "\\u0041"\n'],
    ['doubled quotes', "a: 'it''s'\n"],
    ['dates and times', 'a: 2020-01-02\n'],
    ['leading zeros', 'a: 012\n'],
    ['exponents', 'a: 1e3\n'],
    ['large numbers', 'a: 12345678901234567890\n'],
    ['other spellings of words', 'a: True\n'],
    ['null', 'a: null\n'],
    ['documents', '---\na: b\n'],
    ['tabs', 'a:\tb\n'],
    ['maps in lists', 'a:\n  - b: c\n'],
    ['colons in a text', 'a: b: c\n'],
    ['a comment without a blank before it', 'a: "b"#c\n'],
    ['commas before a bracket', 'a: [b, ]\n'],
    ['deep nesting', `a: ${'['.repeat(100)}${']'.repeat(100)}\n`],
    ['wrong indentation', 'a:\n    b: c\n  d: e\n'],
  ])('leaves %s to the library', (_name, text) => {
    expect(readPlainYaml(text)).toBeUndefined();
  });

  it('never reads a text in another way than the library', () => {
    const scalar = rarely(
      [
        'a',
        'b1',
        'no',
        'true',
        'false',
        '1',
        '-1',
        '0',
        '1.5',
        '-0',
        'a b',
        'a-b',
        'a.b/c',
        'on off',
        '"x: y"',
        "'x # y'",
        '""',
      ],
      [
        'null',
        'True',
        '01',
        '1e3',
        '0x1',
        '~',
        '1.',
        '.5',
        '+1',
        '- a',
        "'a''b'",
        '"\\n"',
        '&x a',
        '*x',
        '!t a',
        '|',
        '>',
        'a: b',
        'a #b',
        'a#b',
        'a:b',
        'a,b',
        'é',
        '',
        '-',
        '?',
      ],
    );
    const key = rarely(['a', 'b-c', 'd_e', 'f1', "'*'", '"f g"', 'true', '12'], ['é', '? h', '- i', '', 'null', '[j]']);
    const blanks = rarely(['', ' ', '  ', ' # c', '\n', '\n  # c'], ['\t', '#', ',', ' |']);
    const { map } = fc.letrec<{ flow: string; list: readonly string[]; map: readonly string[] }>((tie) => ({
      flow: fc.oneof(
        { maxDepth: 3 },
        scalar,
        fc.array(tie('flow'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
        fc
          .array(fc.tuple(key, tie('flow')), { maxLength: 3 })
          .map((entries) => `{ ${entries.map((entry) => entry.join(': ')).join(', ')} }`),
      ),
      list: fc.array(tie('flow'), { minLength: 1, maxLength: 3 }).map((items) => items.map((item) => `- ${item}`)),
      map: fc
        .array(
          fc.tuple(
            key,
            blanks,
            fc.oneof(
              { maxDepth: 2 },
              tie('flow').map((text) => [text]),
              tie('list'),
              tie('map'),
            ),
          ),
          { minLength: 1, maxLength: 4 },
        )
        .map((entries) =>
          entries.flatMap(([name, after, value]) =>
            value.length === 1 && !/^(?:- |.*: )/.test(value[0] ?? '')
              ? [`${name}: ${value[0]}${after}`]
              : [`${name}:${after}`, ...value.map((text) => `  ${text}`)],
          ),
        ),
    }));
    const noise = fc.tuple(
      fc.nat(),
      fc.constantFrom(
        ...Array<string>(20).fill(''),
        ' ',
        '\n',
        ':',
        ',',
        '}',
        ']',
        '{',
        '"',
        '#',
        '-',
        '- ',
        '\t',
        '\u2028',
        '\\',
        '---\n',
      ),
    );
    let read = 0;
    fc.assert(
      fc.property(map, noise, (lines, [place, sign]) => {
        const whole = `${lines.join('\n')}\n`;
        const at = place % whole.length;
        const { plain, library } = both(whole.slice(0, at) + sign + whole.slice(at));
        if (plain === undefined) return;
        read += 1;
        expect(plain).toEqual(library);
      }),
      { numRuns: 1000 },
    );
    // Enough of them must be plain for the comparison to mean something.
    expect(read).toBeGreaterThan(100);
  });
});
