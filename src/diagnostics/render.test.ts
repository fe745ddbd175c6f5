import { describe, expect, it } from 'vitest';
import { codeFrame } from './code-frame.ts';
import type { Diagnostic } from './diagnostic.ts';
import { renderAnnotations } from './render-annotations.ts';
import { renderJson } from './render-json.ts';
import { plainColors, renderText } from './render-text.ts';
import { diagnosticsOfRun, sortDiagnostics } from './sort-diagnostics.ts';
import { nearest, suggestion } from './suggest.ts';

const file = 'schema.yaml';
const at = (line: number, column: number, length = 1) => ({ file, line, column, length });

const problem: Diagnostic = {
  code: 'schema/defined-twice',
  severity: 'error',
  message: 'the type `a` is defined twice',
  location: at(2, 3, 1),
  related: [{ message: 'it is first defined here', location: at(1, 3, 1) }],
  hint: 'keep one of them:\nthe first',
};

describe('a code frame', () => {
  it.each([
    // text, location, source, marker
    ['a: b\nc: dd', at(2, 4, 2), 'c: dd', '   ^^'],
    ['\tkey: x', at(1, 7), ' key: x', '      ^'],
    ['日本: x', at(1, 5), '日本: x', '      ^'],
    ['日本: x', at(1, 1, 2), '日本: x', '^^^^'],
    ['e\u0301: x', at(1, 5), 'e\u0301: x', '   ^'],
    ['\u{1F600}: x', at(1, 4), '\u{1F600}: x', '    ^'],
    ['"\u001b[2J\u202e": x', at(1, 1, 8), String.raw`"\u{1b}[2J\u{202e}": x`, '^'.repeat(20)],
    ['a', at(1, 9, 4), 'a', ' ^'],
    ['', at(1, 1), '', '^'],
    ['a: b\r\nc: d\r\n', at(1, 4), 'a: b', '   ^'],
  ])('%j %j', (text, location, source, marker) => {
    expect(codeFrame(text, location)).toEqual({ gutter: String(location.line), source, marker });
  });

  it('shows a part of a long line around the place', () => {
    const frame = codeFrame(`${'x'.repeat(500)}HERE${'y'.repeat(500)}`, at(1, 501, 4));
    expect(frame?.source).toMatch(/^…x+HEREy+…$/);
    expect(frame?.source.length).toBeLessThan(120);
    const marked = [...(frame?.marker ?? '')].map((sign, index) => (sign === '^' ? frame?.source[index] : '')).join('');
    expect(marked).toBe('HERE');
  });

  it('is not there without the line', () => {
    expect(codeFrame('a', at(2, 1))).toBeUndefined();
  });
});

describe('text', () => {
  it('shows place, line, related places and hint', () => {
    const options = { sourceOf: () => '  a: 1\n  a: 2\n' };
    expect(renderText([problem, { code: 'source/none', severity: 'warning', message: 'nothing' }], options)).toBe(
      [
        'schema.yaml:2:3: error schema/defined-twice: the type `a` is defined twice',
        '    2 |   a: 2',
        '      |   ^',
        '  note: schema.yaml:1:3: it is first defined here',
        '    1 |   a: 1',
        '      |   ^',
        '  help: keep one of them:',
        '        the first',
        '',
        'warning source/none: nothing',
        '',
      ].join('\n'),
    );
  });

  it('has colours only where they are given', () => {
    const colors = { ...plainColors, red: (text: string) => `<${text}>` };
    const text = renderText([problem], { sourceOf: () => undefined, colors });
    expect(text.split('\n')[0]).toBe('schema.yaml:2:3: <error> schema/defined-twice: the type `a` is defined twice');
  });
});

it('JSON says all, and what kind of problem it is', () => {
  expect(JSON.parse(renderJson([problem]))).toEqual({ diagnostics: [{ kind: 'input', ...problem }] });
});

it('annotations can not be forged by what they quote', () => {
  const hostile: Diagnostic = {
    ...problem,
    message: 'a%\n::error::b',
    location: { ...at(2, 3, 4), file: 'a,b:c.yaml' },
  };
  expect(renderAnnotations([hostile, { ...problem, severity: 'info' }])).toBe(
    '::error file=a%2Cb%3Ac.yaml,line=2,col=3,endColumn=7,title=schema/defined-twice::a%25%0A::error::b%0Akeep one of them:%0Athe first\n' +
      '::notice file=schema.yaml,line=2,col=3,endColumn=4,title=schema/defined-twice::the type `a` is defined twice%0Akeep one of them:%0Athe first\n',
  );
});

it('diagnostics are sorted by place, and cut where there are too many', () => {
  const places = [at(10, 1), at(2, 9), at(2, 1), { ...at(1, 1), file: 'a.yaml' }];
  const sorted = sortDiagnostics([
    ...places.map((location) => ({ ...problem, location })),
    { ...problem, location: undefined! },
  ]);
  expect(sorted.map(({ location }) => location && `${location.file}:${location.line}:${location.column}`)).toEqual([
    undefined,
    'a.yaml:1:1',
    'schema.yaml:2:1',
    'schema.yaml:2:9',
    'schema.yaml:10:1',
  ]);
  const many = diagnosticsOfRun(
    Array.from({ length: 1000 }, (_, index) => ({ ...problem, location: at(index + 1, 1) })),
  );
  expect(many).toHaveLength(201);
  expect(many.at(-1)).toMatchObject({ severity: 'error', message: '800 further problems are not shown' });
});

it('suggests what is near, or what there is', () => {
  const options = ['required', 'unique', 'private'];
  expect(nearest('requird', options)).toBe('required');
  expect(nearest('REQUIRED', options)).toBe('required');
  expect(nearest('mappedBy', options)).toBeUndefined();
  expect(nearest('x'.repeat(1_000_000), options)).toBeUndefined();
  expect(suggestion('uniqe', options)).toBe('did you mean `unique`?');
  expect(suggestion('length', options)).toBe('possible: `required`, `unique`, `private`');
});
