import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SourceFile } from './source-file.ts';
import { readSchema } from './read-schema.ts';

function read(text: string, file = 'schema.yaml') {
  return readSchema([{ file, text }]);
}

function firstLine(sources: readonly SourceFile[]): string {
  const { value, diagnostics } = readSchema(sources);
  const [first] = diagnostics;
  return first === undefined
    ? (value?.name.value ?? '')
    : `${first.location?.line}:${first.location?.column} ${first.code}`;
}

const article = 'contentTypes: { article: { attributes: { title: { type: string } } } }\n';

it('keeps what was written, with its place', () => {
  const { value } = read(
    'contentTypes:\n  article:\n    attributes:\n      "größe 😀": { type: decimal, min: "1.50" }\n',
  );
  const [type] = value?.contentTypes ?? [];
  const location = { file: 'schema.yaml', line: 2, column: 3, length: 7 };
  expect(type).toMatchObject({ uid: 'article', kind: 'collectionType', location, localized: false });
  expect(type?.attributes).toMatchObject([
    {
      name: 'größe 😀',
      kind: 'scalar',
      location: { line: 4, column: 7, length: 9 },
      // Columns count characters, not UTF-16 code units: the emoji before it is one character.
      min: { value: 1.5, text: '1.50', location: { line: 4, column: 40, length: 6 } },
    },
  ]);
});

it('takes the name of the first file where none is written', () => {
  expect(firstLine([{ file: 'schemas/my-blog.yaml', text: article }])).toBe('my-blog');
  expect(firstLine([{ file: 'blog.yaml', text: `name: shop\n${article}` }])).toBe('shop');
});

it('merges files: each adds types, components and permissions', () => {
  const { value, diagnostics } = readSchema([
    {
      file: 'a.yaml',
      text: `name: blog\napi: { maxPageSize: 5 }\n${article}permissions: { public: { article: [find] } }\n`,
    },
    {
      file: 'b.yaml',
      text: 'locales: [en]\napi: { bodyLimit: 2mb }\ncontentTypes: { tag: { attributes: {} } }\npermissions: { public: { tag: "*" }, editor: {} }\n',
    },
  ]);
  expect(diagnostics).toEqual([]);
  expect(value?.contentTypes.map((type) => `${type.location.file} ${type.uid}`)).toEqual([
    'a.yaml article',
    'b.yaml tag',
  ]);
  expect(value?.api).toMatchObject({ maxPageSize: { value: 5 }, bodyLimit: { value: 2 * 1024 * 1024 } });
  const roles = value?.roles.map(({ role, permissions }) => [
    role.value,
    permissions.map(({ subject }) => subject.value),
  ]);
  expect(roles).toEqual([
    ['public', ['article', 'tag']],
    ['editor', []],
  ]);
});

it('repeats a value by an alias', () => {
  const { value, diagnostics } = read(
    'contentTypes:\n  article:\n    attributes:\n      a: &text { type: string, maxLength: 9 }\n      b: *text\n',
  );
  expect(diagnostics).toEqual([]);
  expect(value?.contentTypes[0]?.attributes).toMatchObject([
    { name: 'a', maxLength: { value: 9 } },
    { name: 'b', maxLength: { value: 9 } },
  ]);
});

function many(piece: string, count: number): string {
  return piece.repeat(count);
}

describe('hostile text is refused at once', () => {
  it.each([
    ['nested lists', `a: ${many('[', 100_000)}`, '1:66 yaml/too-deep'],
    ['nested maps', many('{', 100_000), '1:64 yaml/too-deep'],
    ['nested maps with keys', many('{a: ', 100_000), '1:253 yaml/too-deep'],
    ['nested block lists', many('- ', 100_000), '1:127 yaml/too-deep'],
    ['nested explicit keys', many('? ', 100_000), '1:127 yaml/too-deep'],
    ['nested indentation', Array.from({ length: 2000 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'), /too-deep/],
    ['many anchors', Array.from({ length: 50_000 }, (_, index) => `- &a${index} x`).join('\n'), '101:3 yaml/too-large'],
    ['many tags', many('!!foo ', 50_000), '1:1 yaml/tag'],
    ['many documents', many('---\n', 100_000), '2:1 yaml/several-documents'],
    ['many directives', many('%X a\n', 50_000), '1:1 yaml/directive'],
    ['many syntax errors', many('"a" "b" ', 30_000), /yaml\/syntax/],
    ['many lines', many('#\n', 300_000), '200001:2 yaml/too-large'],
    ['a long list', `a: [${many('value, ', 100_001)}]`, '1:140003 yaml/too-large'],
    [
      'a long map',
      Array.from({ length: 30_000 }, (_, index) => `k${index}: 1`).join('\n'),
      /^2000\d:\d+ yaml\/too-large/,
    ],
    ['many words', `a: [${many('1,', 400_000)}]`, /yaml\/too-large/],
    [
      'many unknown keys',
      Array.from({ length: 20_000 }, (_, index) => `k${index}: 1`).join('\n'),
      '1:1 schema/unknown-key',
    ],
    ['one very long key', `? ${many('k', 1_000_000)}\n: 1\n`, '1:3 schema/unknown-key'],
    ['a repeated large value', `a: &a [${many('1,', 9000)}]\nb: [*a, *a]\n`, '2:9 yaml/alias'],
  ])('%s', (_name, text, expected) => {
    const before = process.cpuUsage();
    const found = firstLine([{ file: 'schema.yaml', text }]);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(8);
    expect(found).toMatch(typeof expected === 'string' ? new RegExp(`^${expected}$`) : expected);
  });

  it('and never throws, whatever the text is', () => {
    const piece = fc.constantFrom(
      'contentTypes',
      'article',
      'attributes',
      'type',
      'string',
      ': ',
      ':',
      '\n',
      '  ',
      '- ',
      '{',
      '}',
      '[',
      ']',
      ', ',

      '"',
      "'",
      '&a ',
      '*a',
      '!!str ',
      '!x ',
      '<<',
      '? ',
      '| ',
      '> ',
      '#',
      '---\n',
      '...\n',
      '%YAML 1.1\n',
      '\\',
      '\t',
      '__proto__',
      '~',
      'null',
      '1',
      '0x1',
      '.inf',
      '\u2028',
      '\u{1F600}',
      '\ud800',
      '@',
      '`',
      'permissions',
      '*',
    );
    const text = fc.oneof(
      fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
      fc.array(piece, { maxLength: 20 }).map((pieces) => `${article}${pieces.join('')}`),
    );
    fc.assert(
      fc.property(text, (source) => {
        const { value, diagnostics } = read(source);
        expect(value === undefined).toBe(diagnostics.length > 0);
        expect(
          diagnostics.every(({ location }) => location !== undefined && location.line >= 1 && location.length >= 1),
        ).toBe(true);
      }),
      { numRuns: 500 },
    );
    expect(Object.hasOwn(Object.prototype, 'attributes')).toBe(false);
  });
});

it('free text is data, whatever stands in it', () => {
  const hostile = [
    `*/ process.exit(1) /*`,
    '`${process.exit(1)}`',
    `'); drop table articles; --`,
    '</script><script>alert(1)</script>',
    '\\u002a/',
    'a\u2028b\u2029c',
    '{{constructor.constructor("return process")()}}',
    '"; rm -rf / #',
    '%0A::error::',
  ];
  for (const text of hostile) {
    const quoted = JSON.stringify(text);
    const { value, diagnostics } = read(
      `contentTypes: { article: { displayName: ${quoted}, description: ${quoted}, attributes: {
        title: { type: string, default: ${quoted}, displayName: ${quoted}, description: ${quoted} },
        state: { type: enumeration, enum: [${quoted}] },
        extra: { type: json, default: { ${quoted}: ${quoted} } } } } }`,
    );
    expect(diagnostics).toEqual([]);
    expect(value?.contentTypes[0]).toMatchObject({
      displayName: text,
      description: text,
      attributes: [
        { default: { value: text }, displayName: text, description: text },
        { enum: [{ value: text }] },
        { default: { value: { [text]: text } } },
      ],
    });
  }
});
