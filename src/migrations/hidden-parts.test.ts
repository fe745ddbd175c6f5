/** MySQL and MariaDB hide triggers and keys from accounts that may only read: those are not missing. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../../templates/runtime/test-support/engines.ts';
import { testedEngines } from '../../templates/runtime/test-support/runtime-database.ts';
import { filesOfPlans } from '../../test/support/drift.ts';
import { modelsOf } from '../../test/support/evolving-model.ts';
import { nextPlan } from '../../test/support/written-migrations.ts';
import type { Database } from '../../templates/runtime/src/database/database.ts';
import { openDatabase } from '../../templates/runtime/src/database/open-database.ts';
import { describeAll } from '../../templates/runtime/src/migrator/drift/describe-drift.ts';
import { driftFrom } from '../../templates/runtime/src/migrator/drift/find-drift.ts';
import { splitMigration } from './plan/zero-downtime.ts';

const models = (attributes: object) =>
  modelsOf({ name: 'x', databases: ['mysql'], contentTypes: { article: { attributes } } });
const AFTER = models({ headline: { type: 'string', renamedFrom: 'title' } });
const first = nextPlan(models({ title: { type: 'string' } }), [], []);
const [expand] = splitMigration(nextPlan(AFTER, [first], []), [first], AFTER.notes).value ?? [];
if (!expand) throw new Error('the renaming has no first part');
const files = filesOfPlans([first, expand], 'mysql');

describe.skipIf(!(await testedEngines()).includes('mysql'))('an account that may only read', () => {
  const account = `u${randomUUID().slice(0, 8)}`;
  let tested: TestDatabase;
  let own: string;
  let limited: Database;

  /** Rights on a database are those that it had when the connection was opened. */
  async function grant(statement: string): Promise<void> {
    await tested.script(statement);
    await limited?.close();
    const url = new URL(tested.url);
    [url.username, url.password] = [account, 'word'];
    limited = await openDatabase(url.href);
  }

  beforeEach(async () => {
    tested = await createDatabase('mysql', 'hidden');
    own = new URL(tested.url).pathname.slice(1);
    for (const one of files) await tested.script(one.files.get('mysql/up.sql') ?? '');
    await tested.script(`CREATE USER '${account}'@'%' IDENTIFIED BY 'word';`);
    await grant(`GRANT SELECT ON \`${own.replaceAll('_', String.raw`\_`)}\`.* TO '${account}'@'%';`);
  });
  afterEach(async () => {
    await limited?.close();
    await tested.script(`DROP USER '${account}'@'%';`);
    await tested.drop();
  });

  it('is told that there is what it can not see, and how it could', async () => {
    const drift = await driftFrom(limited, files);
    expect(drift.drifted).toEqual([]);
    const text = describeAll(drift, 'mysql');
    expect(text).toContain('triggers and foreign keys');
    const [remedy = ''] = /GRANT TRIGGER ON .*;/u.exec(text) ?? [];
    await grant(remedy);
    expect(await driftFrom(limited, files)).toMatchObject({ drifted: [], hidden: undefined });
  });

  it.each([
    (database: string) => `\`${database}\`.\`articles\``,
    (database: string) => `\`${database.replaceAll('_', String.raw`\_`)}\`.*`,
  ])('is told of those that are missing once it has it', async (scope) => {
    await grant(`GRANT TRIGGER ON ${scope(own)} TO '${account}'@'%';`);
    expect((await driftFrom(limited, files)).drifted).toEqual([]);
    const [row] = await tested.rows(
      'SELECT trigger_name FROM information_schema.triggers WHERE trigger_schema = DATABASE()',
    );
    await tested.script(`DROP TRIGGER \`${String(row?.[0])}\`;`);
    const { drifted } = await driftFrom(limited, files);
    expect(drifted).toMatchObject([{ kind: 'missing', of: 'trigger', table: 'articles' }]);
  });
});
