import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatText } from '../output/format.ts';
import { type Literal, printExpanded, printInline } from './print-literal.ts';

const key = fc.oneof(
  fc.stringMatching(/^[a-z][A-Za-z0-9_]{0,60}$/),
  fc.stringMatching(/^[a-z]{1,20}-[a-z]{1,20}$/),
  fc.stringMatching(/^[a-z]{1,8}\.[a-z]{1,8}$/),
);
const text = fc.oneof(fc.stringMatching(/^[a-z_]{0,63}$/), fc.string({ unit: 'binary-ascii', maxLength: 20 }));
const { data } = fc.letrec<{ data: Literal }>((tie) => ({
  data: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.boolean(),
    text,
    fc.array(text, { maxLength: 5 }),
    fc.dictionary(key, tie('data'), { maxKeys: 5 }),
  ),
}));

describe('printed data', () => {
  it('is what prettier would print', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(key, data, { minKeys: 1, maxKeys: 4 }),
        fc.integer({ min: 0, max: 3 }),
        async (value, levels) => {
          const code = `export const value: unknown = ${printExpanded(value, '', levels)};\n`;
          expect(await formatText(code, 'typescript')).toBe(code);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('evaluates to the same data', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), fc.string({ unit: 'binary' }), (json, string) => {
        const value = { data: JSON.parse(json) as Literal, text: string };
        for (const code of [printInline(value), printExpanded(value)]) {
          expect(JSON.stringify(runInNewContext(`(${code})`))).toBe(JSON.stringify(value));
        }
      }),
      { numRuns: 300 },
    );
  });
});
