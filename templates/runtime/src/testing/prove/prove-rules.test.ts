/**
 * The proof of rules: it finds what would reveal hidden entries, and rules hide everything. `CASES` and `SEED` prolong and repeat it.
 */
import { describe, expect, test } from 'vitest';
import { definition as magazine } from '../../../test-support/projects/magazine/src/generated/app.ts';
import { isWanted } from '../../../test-support/engines.ts';
import { casesOf } from '../../../test-support/in-full.ts';
import type { AnyExtensions } from '../../server/definition.ts';
import { proveRules } from './prove-rules.ts';

test('an answer that depends on what is hidden is found', async () => {
  const telling = {
    actions: {
      article: {
        find: async (next: any, request: any) => {
          const answer = await next(request);
          const { data } = await request.context.entries.article.find({ publicationState: 'preview' });
          return { ...answer, meta: { ...answer.meta, all: data } };
        },
      },
    },
  } as unknown as AnyExtensions;
  const proof = await proveRules(magazine, { cases: 400, seed: 1, extensions: telling });
  expect(proof.failures.length).toBeGreaterThan(0);
  expect(proof.failures.every((failure) => failure.includes(': GET /api/articles '))).toBe(true);
}, 120_000);

const CASES = casesOf('CASES', 100, 300);
const SEED = Number(process.env['SEED'] ?? Date.now() % 1e6);

const SERVERS = {
  sqlite: undefined,
  postgres: 'postgres://root@127.0.0.1:5432/test',
  mysql: 'mysql://root@127.0.0.1:3306/test',
} as const;

describe.each(['sqlite', 'postgres', 'mysql'] as const)('on %s', (engine) => {
  test.runIf(isWanted(engine))(
    'the rules of a magazine tell nothing',
    async () => {
      const proof = await proveRules(magazine, { cases: CASES, seed: SEED, databaseUrl: SERVERS[engine] });
      expect(proof).toMatchObject({ cases: CASES, failures: [] });
      expect(proof.answered).toBeGreaterThan(CASES / 3);
    },
    CASES * 800,
  );
});
