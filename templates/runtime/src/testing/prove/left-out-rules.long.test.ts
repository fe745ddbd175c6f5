/** The proof finds a rule that is left out at one place where rules narrow what a caller reaches. */
import { afterEach, expect, test, vi } from 'vitest';
import { definition as magazine } from '../../../test-support/projects/magazine/src/generated/app.ts';

const CONTEXT = '../../query/query-context.ts';
const VISIBLE = '../../entries/visible-entry.ts';

afterEach(() => {
  vi.doUnmock(CONTEXT);
  vi.doUnmock(VISIBLE);
  vi.resetModules();
});

/** The failures of a server in which a module is changed. */
async function failuresWith(path: string, change: (original: any) => object): Promise<readonly string[]> {
  vi.resetModules();
  vi.doMock(path, async (importOriginal) => {
    const original = await importOriginal<object>();
    return { ...original, ...change(original) };
  });
  const { proveRules } = await import('./prove-rules.ts');
  return (await proveRules(magazine, { cases: 1000, seed: 1 })).failures;
}

test('of filters', async () => {
  const change = (original: any): object => ({
    seenType(...given: readonly unknown[]) {
      const seen = original.seenType(...given);
      const isFilter = /at parseRelation .*query\/filters\.ts/u.test(new Error('where').stack ?? '');
      return isFilter ? { ...seen, narrowed: undefined } : seen;
    },
  });
  expect(await failuresWith(CONTEXT, change)).not.toEqual([]);
}, 240_000);

test('of entries that are changed or connected', async () => {
  const change = (): object => ({ visibleAmong: async (_: unknown, ids: readonly number[]) => new Set(ids) });
  expect(await failuresWith(VISIBLE, change)).not.toEqual([]);
}, 240_000);
