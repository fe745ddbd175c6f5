/** A schema changes in every way there is, with data in every table, on every engine. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MigrationPlan } from '#contract/migrations/plan.ts';
import { createIfThere, type TestDatabase } from '../../templates/runtime/test-support/engines.ts';
import { type Content, readContent, withoutNewDocuments } from '../../test/support/evolving-data.ts';
import { driftAfter, filesOfPlans } from '../../test/support/drift.ts';
import { type Models, modelsOf } from '../../test/support/evolving-model.ts';
import { expectedContent } from '../../test/support/evolving-expectation.ts';
import { fillContent } from '../../test/support/evolving-rows.ts';
import { EVOLUTION, FIRST_SCHEMA, withoutFormerNames } from '../../test/support/evolving-steps.ts';
import { runSql } from '../../test/support/run-sql.ts';
import { catalogueOfNew, readBack } from '../../test/support/written-migrations.ts';
import { openDatabase } from '../../templates/runtime/src/database/open-database.ts';
import { migrate, migrateUp } from '../../templates/runtime/src/migrator/migrate.ts';
import { printFile } from '../files/generated-file.ts';
import { emitMigrations } from './emit-migration.ts';
import { planMigration } from './plan/plan-migration.ts';
import { printSql } from './sql/print-sql.ts';
import { readHistory } from './history/read-history.ts';
import { splitMigration } from './plan/zero-downtime.ts';

function planned(models: Models, history: readonly MigrationPlan[], allowed: readonly string[]): MigrationPlan | null {
  const { value, diagnostics } = planMigration({ history, target: models.storage, notes: models.notes, allowed });
  if (value === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  if (diagnostics.length > 0) throw new Error(`not needed: ${diagnostics.map(({ message }) => message).join('\n')}`);
  // What is read back from `plan.json` must say the same.
  return value && (readBack(history, [value])[0] ?? null);
}

/** Adds a row without values, and takes it away. Answers its id. */
async function useAnId(database: TestDatabase, table: string): Promise<number> {
  const { id } = database;
  const moment = database.dialect === 'mysql' ? "'2024-01-02 03:04:05.000'" : "'2024-01-02T03:04:05.000Z'";
  const columns = ['title', 'created_at', 'updated_at'].map(id).join(', ');
  await database.script(`INSERT INTO ${id(table)} (${columns}) VALUES ('x', ${moment}, ${moment})`);
  const [[last] = []] = await database.rows(`SELECT max(${id('id')}) FROM ${id(table)}`);
  await database.script(`DELETE FROM ${id(table)} WHERE ${id('id')} = ${Number(last)}`);
  return Number(last);
}

async function writeMigrations(folder: string, plans: readonly MigrationPlan[]): Promise<string> {
  let files: ReadonlyMap<string, string> = new Map();
  for (const [index, plan] of plans.entries()) {
    const emitted = emitMigrations({
      files,
      history: plans.slice(0, index),
      added: [plan],
      databases: ['sqlite', 'postgres', 'mysql'],
    });
    files = new Map(await Promise.all(emitted.map(async (file) => [file.path, await printFile(file)] as const)));
  }
  const { value = [], diagnostics } = readHistory(files);
  expect(diagnostics).toStrictEqual([]);
  expect(value.map((plan) => ({ ...plan, scripts: undefined }))).toEqual(plans);
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return join(folder, 'migrations');
}

/** MariaDB takes minutes for so much DDL: `npm run test:long` has it, too. */
const ENGINES = ['sqlite', 'postgres', ...(process.env['EVERYWHERE'] === '1' ? (['mysql'] as const) : [])] as const;

describe.each(ENGINES)('a schema that evolves on %s', (dialect) => {
  let database: TestDatabase | undefined;
  let fresh: TestDatabase | undefined;
  beforeAll(async () => {
    database = await createIfThere(dialect, 'evolution');
    fresh = await createIfThere(dialect, 'evolution_fresh');
  });
  afterAll(async () => {
    await database?.drop();
    await fresh?.drop();
  });

  const schema = structuredClone(FIRST_SCHEMA);
  const history: MigrationPlan[] = [];
  let before: Models | undefined;
  const splits: number[] = [];
  let items = 0;

  it.each(EVOLUTION.map((step) => [step.name, step] as const))('%s', async (_, step) => {
    if (!database || !fresh) return;
    withoutFormerNames(schema);
    step.schema(schema);
    const models = modelsOf(schema);
    const { loses = [], content: change = () => {} } = step;
    if (loses.length > 0) {
      const refused = planMigration({ history, target: models.storage, notes: models.notes });
      expect(refused.value).toBeUndefined();
      const named = refused.diagnostics.map(({ hint }) => /--allow-destructive (\S+)/u.exec(hint ?? '')?.[1]);
      expect([...new Set(named)].toSorted()).toStrictEqual(loses.toSorted());
    }
    const plan = planned(models, history, loses);
    if (!plan) throw new Error('nothing to do');
    expect(planned(models, [...history, plan], [])).toBeNull();

    const { up, down } = printSql(plan, dialect);
    const drift = (...plans: readonly MigrationPlan[]) =>
      database ? driftAfter(database, filesOfPlans([...history, ...plans], dialect)) : undefined;
    const run = async (text: string): Promise<void> => {
      if (database) await runSql(database, dialect === 'sqlite' ? `BEGIN;\n${text}\nCOMMIT;` : text);
    };
    const [contentBefore, catalogueBefore] = before
      ? [await readContent(database, before), await database.catalogue()]
      : [undefined, await database.catalogue()];
    await run(up);
    const expected = before && contentBefore && expectedContent(contentBefore, { former: before, models }, change);
    const readKnown = async (from: TestDatabase): Promise<Content> =>
      withoutNewDocuments(await readContent(from, models), expected ?? {});
    const contentAfter = await readKnown(database);
    if (expected) expect(contentAfter).toStrictEqual(expected);

    const catalogueAfter = await database.catalogue();
    expect(catalogueAfter).toStrictEqual(await catalogueOfNew(fresh, planned(models, [], [])));

    expect(await drift(plan)).toStrictEqual([]);

    await run(down);
    expect(await database.catalogue()).toStrictEqual(catalogueBefore);
    expect(await drift()).toStrictEqual([]);

    // In two parts, where it has two, it comes to the same.
    const parts = splitMigration(plan, history, models.notes).value ?? [];
    for (const [index, part] of parts.entries()) {
      await run(printSql(part, dialect).up);
      expect(await drift(...parts.slice(0, index + 1))).toStrictEqual([]);
    }
    if (parts.length > 0) {
      expect(await database.catalogue()).toStrictEqual(catalogueAfter);
      expect(await readKnown(database)).toStrictEqual(contentAfter);
      for (const part of parts.toReversed()) await run(printSql(part, dialect).down);
      expect(await database.catalogue()).toStrictEqual(catalogueBefore);
    }
    splits.push(parts.length);

    await run(up);
    expect(await database.catalogue()).toStrictEqual(catalogueAfter);
    expect(await readKnown(database)).toStrictEqual(contentAfter);

    history.push(plan);
    items = await fillContent(database, models, items);
    if (!before) await useAnId(database, 'articles');
    before = models;
  });

  it('can be split in many of its steps', () => {
    if (!database) return;
    expect(splits.filter((count) => count > 1).length).toBeGreaterThan(5);
  });

  it('gives no id twice, whatever was done to a table', async () => {
    if (!database) return;
    expect(await useAnId(database, 'posts')).toBeGreaterThan(4);
  });

  it('is built by the migrator of the runtime from the files of all its migrations, and undone', async () => {
    if (!fresh || !database) return;
    const folder = await mkdtemp(join(tmpdir(), 'content-test-'));
    const url = dialect === 'sqlite' ? `sqlite:${join(folder, 'data.db')}` : fresh.url;
    const directory = await writeMigrations(folder, history);
    const server = await openDatabase(url);
    try {
      expect(await migrateUp(server, directory)).toHaveLength(EVOLUTION.length);
      if (dialect !== 'sqlite') {
        const own = (await fresh.catalogue()).filter((line) => !/_migration/u.test(line));
        expect(own).toStrictEqual(await database.catalogue());
      }
      const undone: string[] = [];
      for (;;) {
        const { changed } = await migrate(server, { directory, dialect }, 'down');
        if (changed.length === 0) break;
        undone.push(...changed);
      }
      expect(undone).toHaveLength(EVOLUTION.length);
    } finally {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    }
  }, 300_000);
});
