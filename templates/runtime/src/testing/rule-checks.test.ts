/** The generated test of a project's rules, against a server that enforces them, and against ones that don't. */
import { afterEach, describe, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../../test-support/engines.ts';
import { definition } from '../../test-support/projects/magazine/src/generated/app.ts';
import { testedEngines } from '../../test-support/runtime-database.ts';
import type { ServerDefinition } from '../server/definition.ts';
import type { RuleCase } from './rule-checks.ts';
import { startTestServer, type TestServer } from './testing.ts';

/** The project without some of its rules: its permissions reach everything. */
function withoutRules(isGone: (permission: string) => boolean): ServerDefinition {
  const rules = Object.entries(definition.rules ?? {}).map(([role, all]) => [
    role,
    Object.fromEntries(Object.entries(all).filter(([permission]) => !isGone(permission))),
  ]);
  return { ...definition, rules: Object.fromEntries(rules) };
}

/** The rules that entries are generated for. */
const TESTED = /\.(?:find|findOne|preview|update|delete)$/u;

const CASES: readonly RuleCase[] = Object.entries(definition.rules ?? {}).flatMap(([role, rules]) =>
  Object.entries(rules)
    .filter(([permission]) => TESTED.test(permission))
    .map(([permission, rule]) => ({ role, permission, ...rule })),
);

/** Files have tests of their own. */
const FILES = CASES.filter(({ permission }) => permission.startsWith('upload.')).map(
  ({ role, permission }) => `${role} ${permission}: there is no generated test of it`,
);

/** What a server answers otherwise than its rules say, and what could not be tested. */
async function failuresOf(server: TestServer<unknown>): Promise<{ failed: string[]; untested: string[] }> {
  const [failed, untested]: [string[], string[]] = [[], []];
  for (const rule of CASES) {
    const outcome = await server.checkRule(rule);
    const name = `${rule.role} ${rule.permission}`;
    if ('untested' in outcome) untested.push(`${name}: ${outcome.untested}`);
    const results = 'untested' in outcome ? [] : outcome.results;
    const wrong = results.filter(({ expected, actual }) => !expected.includes(actual));
    failed.push(...wrong.map(({ what, actual }) => `${name}: ${what}: ${actual}`));
  }
  return { failed, untested };
}

describe.each(await testedEngines())('on %s', (dialect) => {
  let database: TestDatabase | undefined;
  let server: TestServer<unknown> | undefined;
  async function start(own: ServerDefinition): Promise<TestServer<unknown>> {
    // On SQLite, test servers have a file of their own.
    if (dialect !== 'sqlite') database = await createDatabase(dialect, 'rules_of_project');
    server = await startTestServer(own, { environment: database ? { DATABASE_URL: database.url } : {} });
    return server;
  }
  afterEach(async () => {
    await server?.stop();
    await database?.drop();
  });

  it('finds entries on both sides of each rule, and nothing that the rule does not permit', async () => {
    const { failed, untested } = await failuresOf(await start(definition));
    expect(untested).toEqual(FILES);
    expect(failed).toEqual([]);
  });
});

it('fails where a rule is not enforced', async () => {
  const server = await startTestServer(withoutRules((permission) => permission.endsWith('.find')));
  const { failed } = await failuresOf(server);
  await server.stop();
  const finds = CASES.filter(({ permission }) => /^(?!upload).*\.find$/u.test(permission));
  expect(finds.length).toBeGreaterThan(4);
  const expected = finds.map(
    ({ role, permission }) => `${role} ${permission}: entries listed of one that it leaves out: 1`,
  );
  expect(failed).toEqual(expected);
});
