import { expect, it } from 'vitest';
import type { ContentType } from '../model/model.ts';
import type { ModelIndex } from '../model/model-context.tsx';
import { csvOf } from './csv.ts';

const index = { type: () => undefined } as unknown as ModelIndex;

function cellOf(value: unknown): string {
  const csv = csvOf([{ id: 1, text: value }], { attributes: {} } as unknown as ContentType, ['text'], index);
  return /^id,text\r\n1,(?<cell>[^]*)\r\n$/u.exec(csv)?.groups?.['cell'] ?? '';
}

it('quotes what would separate cells', () => {
  expect(['a', 'a, b', 'say "a"', 'a\nb', 'a;b', -1, null, ['a']].map(cellOf)).toEqual([
    'a',
    '"a, b"',
    '"say ""a"""',
    '"a\nb"',
    '"a;b"',
    '-1',
    '',
    '"[""a""]"',
  ]);
});

it('leaves no text that a spreadsheet would take for a formula, also where semicolons separate cells', () => {
  for (const formula of ['=1+1', '+1', '-1', '@SUM(1)', '\uFF1D1+1', '\uFF201']) {
    expect(cellOf(formula)).toBe(`'${formula}`);
    for (const separator of [';', '\t', '\n', '\r\n']) {
      expect(cellOf(`a${separator}${formula}${separator}b`)).toBe(`"a${separator}'${formula}${separator}b"`);
    }
  }
  expect(cellOf('\t=1')).toBe(`"'\t'=1"`);
  expect(cellOf({ a: 'b;=1;c' })).toBe(`"{""a"":""b;'=1;c""}"`);
});
