/** No value is changed by a conversion that can't hold it: on every engine the migration stops, and says which rows to look at. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { modelsOf } from '../../test/support/evolving-model.ts';
import { openEngine, testedEngines, type RuntimeDatabase } from '../../test/support/runtime-database.ts';
import { nextPlan, writePlans } from '../../test/support/written-migrations.ts';
import { raw } from '../../templates/runtime/src/database/sql.ts';
import { migrate, migrateUp } from '../../templates/runtime/src/migrator/migrate.ts';
import type { MigrationPlan } from './change.ts';

/** A type, one that holds all of its values, and values of the latter: those of the first type, and others. */
const CONVERSIONS: readonly (readonly [narrow: string, wide: string, kept: string, others: readonly string[]])[] = [
  ['integer', 'text', "'-12'", ["'hello'", "'12abc'", "'99999999999'"]],
  ['biginteger', 'text', "'9223372036854775807'", ["'9223372036854775808'", "''"]],
  ['float', 'text', "'0.25'", ["'1.5x'"]],
  ['decimal', 'text', "'1.5'", ["'one'"]],
  ['boolean', 'text', "'true'", ["'maybe'"]],
  ['date', 'text', "'2024-02-29'", ["'2024-02-30'", "'today'"]],
  ['time', 'text', "'10:20:30.456'", ["'25:00:00.000'", "'now'"]],
  ['integer', 'biginteger', '2147483647', ['2147483648']],
  ['integer', 'decimal', '7', ['1.5']],
  ['biginteger', 'decimal', '7', ['1.5']],
  ['integer', 'float', '7', ['0.25']],
  ['boolean', 'integer', '1', ['2']],
  ['date', 'datetime', "'2024-02-29T00:00:00.000Z'", ["'2024-02-29T10:00:00.000Z'"]],
];

const schema = (type: string): string =>
  `contentTypes:\n  article:\n    attributes:\n      title: { type: string }\n      value: { type: ${type} }`;

describe.each(await testedEngines())('values on %s', (dialect) => {
  let folder: string;
  let opened: RuntimeDatabase;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'content-test-'));
    opened = await openEngine(dialect, 'kept_values');
  });
  afterEach(async () => {
    await opened.drop();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(CONVERSIONS)(
    'E09: of %s that became %s are not changed when that is undone',
    async (narrow, wide, kept, others) => {
      const { database } = opened;
      const history: MigrationPlan[] = [];
      for (const type of [narrow, wide]) history.push(nextPlan(modelsOf(schema(type)), history, []));
      const directory = await writePlans(folder, history);
      expect(await migrateUp(database, directory)).toHaveLength(2);
      const moment = dialect === 'mysql' ? "'2024-01-02 03:04:05.000'" : "'2024-01-02T03:04:05.000Z'";
      const id = (name: string): string => database.dialect.id(name).text;
      await database.script(
        `INSERT INTO ${id('articles')} (${id('created_at')}, ${id('updated_at')}) VALUES (${moment}, ${moment})`,
      );
      const put = async (value: string): Promise<void> => {
        const text = dialect === 'mysql' ? value.replace(/T(\d\d:.*)Z/u, ' $1') : value;
        const own = dialect === 'sqlite' && wide === 'decimal' ? `'${text}'` : text;
        await database.script(`UPDATE ${id('articles')} SET ${id('value')} = ${own}`);
      };
      const read = async (): Promise<unknown> =>
        (await database.get(raw(`SELECT ${id('value')} FROM ${id('articles')}`)))?.['value'];
      for (const other of others) {
        await put(other);
        const before = await read();
        const failure = await migrate(database, { directory, dialect }, 'down').then(() => 'undone', String);
        expect(failure, other).toMatch(/0002_change_article_value_\w+ failed/u);
        expect(await read(), other).toStrictEqual(before);
        const query = /To list them: (?<query>SELECT .*);/u.exec(failure)?.groups?.['query'];
        if (dialect === 'sqlite') expect(failure).toContain(`article.value has values that are no ${narrow}`);
        if (query !== undefined) expect(await database.all(raw(query))).toHaveLength(1);
      }
      await put(kept);
      const before = await read();
      expect((await migrate(database, { directory, dialect }, 'down')).changed).toHaveLength(1);
      expect(await migrateUp(database, directory)).toHaveLength(1);
      expect(await read()).toStrictEqual(before);
    },
  );
});
