/** Finds where a database differs from what its applied migrations have made. */
import type { Executor } from '../../database/executor.ts';
import type { DialectName } from '../../database/dialect.ts';
import { raw } from '../../database/sql.ts';
import type { MigrationFiles } from '../../contract/migration-sum.ts';
import { readApplied, unlessNoTable } from '../applied.ts';
import { PROGRESS_TABLE } from '../progress.ts';
import { readMigrationFiles } from '../read-migrations.ts';
import { appliedSql, type AppliedSql, handWrittenSqlMentions, lastMention } from './applied-sql.ts';
import { readCatalogueRights } from './catalogue-rights.ts';
import { compareTable } from './compare-table.ts';
import type { Difference } from './difference.ts';
import { type ExpectedTable, expectedTables } from './expected-tables.ts';
import type { FoundTable } from './found-table.ts';
import { handWrittenObjects, handWrittenTables, missingHandWrittenObjects } from './hand-written-objects.ts';
import { readTables } from './read-tables.ts';
import { type StoredForm, storedForm } from './stored-form.ts';

/** A difference, and the migration to look at. */
export interface DriftedObject extends Difference {
  /** The last migration whose SQL names it; undefined if there is none. */
  readonly migration: string | undefined;
}

export interface Drift {
  /** What is missing or changed, in the order of the tables. */
  readonly drifted: readonly DriftedObject[];
  /** What exists in the project's tables without any migration having made it. */
  readonly undeclared: readonly DriftedObject[];
  /** Whether there are more differences than listed. */
  readonly more: boolean;
  /** Why nothing could be compared; undefined if it was. */
  readonly unknown: string | undefined;
  /** What was not compared, because the account can't see it, and what to do about it. */
  readonly hidden: string | undefined;
}

/** The maximum number of differences listed: with more, it is probably not the right database. */
const MOST = 200;

function unknownDrift(why: string): Drift {
  return { drifted: [], undeclared: [], more: false, unknown: why, hidden: undefined };
}

/** The names by which SQL refers to a thing. If it has no unique name of its own, they include its table. */
function namesOf({ of, table, name }: Difference): readonly string[] {
  if (of === 'column') return [table, name];
  return of === 'primary key' ? [table] : [name];
}

/**
 * Adds the migration to a difference. Undefined if the difference is intended: a hand-written migration names the object, or the
 * SQL of a generated one was edited so that no migration creates it.
 */
function traced(difference: Difference, sql: AppliedSql, keysHaveNames: boolean): DriftedObject | undefined {
  const isNameless = difference.of === 'foreign key' && !keysHaveNames;
  const names = isNameless ? [difference.table] : namesOf(difference);
  if (handWrittenSqlMentions(sql, names)) return undefined;
  const migration = lastMention(sql, names);
  if (difference.kind === 'undeclared') return { ...difference, migration: undefined };
  return migration === undefined ? undefined : { ...difference, migration };
}

/** Yields the differences of all tables, one by one. */
function* differencesOf(
  forms: readonly StoredForm[],
  found: ReadonlyMap<string, FoundTable>,
  sql: AppliedSql,
  dialect: DialectName,
): Iterable<DriftedObject> {
  for (const form of forms) {
    for (const difference of compareTable(dialect, form, found)) {
      const thing = traced(difference, sql, dialect !== 'sqlite');
      if (thing) yield thing;
    }
  }
}

/** Collects differences, starting with `first`, up to the maximum. */
function driftOf(first: readonly DriftedObject[], found: Iterable<DriftedObject>): Drift {
  const all = [...first];
  for (const thing of found) if (all.push(thing) > MOST) break;
  const shown = all.slice(0, MOST);
  return {
    drifted: shown.filter(({ kind }) => kind !== 'undeclared'),
    undeclared: shown.filter(({ kind }) => kind === 'undeclared'),
    more: all.length > MOST,
    unknown: undefined,
    hidden: undefined,
  };
}

/** Removes triggers and foreign keys that may exist, but that the account can't see. */
async function withoutHidden(executor: Executor, drift: Drift): Promise<Drift> {
  const mayHide = ({ kind, of }: DriftedObject): boolean =>
    kind === 'missing' && (of === 'trigger' || of === 'foreign key');
  if (executor.dialect.name !== 'mysql' || !drift.drifted.some(mayHide)) return drift;
  const rights = await readCatalogueRights(executor);
  const isSeen = ({ kind, of, table }: DriftedObject): boolean =>
    kind !== 'missing' || (of !== 'trigger' && of !== 'foreign key') || rights.sees(of, table);
  const drifted = drift.drifted.filter(isSeen);
  const count = drift.drifted.length - drifted.length;
  if (count === 0) return drift;
  const hidden = `this account lacks the right to see whether ${count} triggers and foreign keys exist: ${rights.remedy}`;
  return { ...drift, drifted, hidden };
}

/** Where a database differs from what these migrations, which are all applied, have made. Only reads. */
export async function driftFrom(executor: Executor, migrations: readonly MigrationFiles[]): Promise<Drift> {
  const dialect = executor.dialect.name;
  let expected: ReadonlyMap<string, ExpectedTable>;
  try {
    expected = expectedTables(migrations);
  } catch (error) {
    return unknownDrift(`the plans of the migrations can't be read: ${error instanceof Error ? error.message : ''}`);
  }
  const forms = [...expected.values()].map((table) => storedForm(table, dialect));
  const sql = appliedSql(migrations, dialect);
  const own = handWrittenObjects(sql);
  const names = [...forms.flatMap(({ name, wordTables }) => [name, ...wordTables]), ...handWrittenTables(own)];
  const found = await readTables(executor, [...new Set(names)]);
  const missing = missingHandWrittenObjects(own, found).map((one) => ({
    ...one,
    migration: lastMention(sql, [one.table, one.name]),
  }));
  return withoutHidden(executor, driftOf(missing, differencesOf(forms, found, sql, dialect)));
}

/** The name of a migration that is half applied or half undone. */
async function unfinishedMigration(executor: Executor): Promise<string | undefined> {
  const row = await unlessNoTable(() => executor.get(raw(`SELECT name FROM ${PROGRESS_TABLE}`)), undefined);
  return row && String(row['name']);
}

/**
 * Where a database differs from what its applied migrations have made. `directory`: the project's folder `migrations`. Only
 * reads: the files, and the catalogue. Throws a MigrationError if the files were changed.
 */
export async function findDrift(executor: Executor, directory: string): Promise<Drift> {
  const [files, applied] = await Promise.all([readMigrationFiles(directory), readApplied(executor)]);
  const unfinished = await unfinishedMigration(executor);
  if (unfinished !== undefined) {
    return unknownDrift(`the migration ${unfinished} is incomplete: npm run server -- migrate up`);
  }
  const newer = applied.find(({ name }, index) => files[index]?.name !== name);
  if (newer) return unknownDrift(`the database has the migration ${newer.name}, which this server does not know`);
  return driftFrom(executor, files.slice(0, applied.length));
}
