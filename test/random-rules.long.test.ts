/**
 * Rules of random schemas hide: `proveRules` finds no answer that tells of what a caller may not see. `SEED` and `SCHEMAS` repeat or prolong
 * it.
 */
import { stringify } from 'yaml';
import { expect, test } from 'vitest';
import { isWanted } from '../templates/runtime/test-support/engines.ts';
import { proveRules } from '../templates/runtime/src/testing/prove/prove-rules.ts';
import { ruledSchema } from './support/ruled-schema.ts';
import { generateProject } from './support/served-project.ts';

const FIRST_SEED = Number(process.env['SEED'] ?? 1);
const SCHEMAS = Number(process.env['SCHEMAS'] ?? 6);
const CASES = Number(process.env['CASES'] ?? 200);

const SERVERS = {
  sqlite: undefined,
  postgres: 'postgres://root@127.0.0.1:5432/test',
  mysql: 'mysql://root@127.0.0.1:3306/test',
} as const;
const ENGINES = (['sqlite', 'postgres', 'mysql'] as const).filter((engine) => isWanted(engine));

const seeds = Array.from({ length: SCHEMAS }, (_, index) => FIRST_SEED + index);

test.each(seeds)(
  'the rules of the random schema %i tell nothing',
  async (seed) => {
    const { definition, remove } = await generateProject(
      stringify(ruledSchema(seed), { aliasDuplicateObjects: false }),
    );
    try {
      for (const engine of ENGINES) {
        const proof = await proveRules(definition, { cases: CASES, seed, databaseUrl: SERVERS[engine] });
        expect(proof.failures, engine).toEqual([]);
        process.stdout.write(`${engine} ${proof.cases} ${proof.answered}\n`);
      }
    } finally {
      await remove();
    }
  },
  600_000,
);
