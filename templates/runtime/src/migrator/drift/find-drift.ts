/** Finds where a database is not as its applied migrations have left it. */
import { setImmediate as turn } from 'node:timers/promises';
import type { Executor } from '../../database/executor.ts';
import type { DialectName } from '../../database/dialect.ts';
import { raw } from '../../database/sql.ts';
import type { MigrationFiles } from '../../contract/migration-sum.ts';
import { isNoTable, readApplied } from '../applied.ts';
import { PROGRESS_TABLE } from '../progress.ts';
import { readMigrationFiles } from '../read-migrations.ts';
import { appliedSql, type AppliedSql, isOwnMatter, lastMention } from './applied-sql.ts';
import { readCatalogueRights } from './catalogue-rights.ts';
import { compareTable } from './compare-table.ts';
import type { Difference } from './difference.ts';
import { type ExpectedTable, expectedTables } from './expected-tables.ts';
import type { FoundTable } from './found-table.ts';
import { missingOwn, ownTables, ownThings } from './own-things.ts';
import { readTables } from './read-tables.ts';
import { type StoredForm, storedForm } from './stored-form.ts';

/** A difference, and where to look. */
export interface DriftedThing extends Difference {
  /** The migration that made it as it should be; undefined: none. */
  readonly migration: string | undefined;
}

export interface Drift {
  /** What is missing or changed, in the order of the tables. */
  readonly drifted: readonly DriftedThing[];
  /** What our tables have that no migration made. */
  readonly undeclared: readonly DriftedThing[];
  /** Whether there is more of either. */
  readonly more: boolean;
  /** Why nothing could be compared. */
  readonly unknown: string | undefined;
  /** What the account can't see, so that it is not told of, and what to do about it. */
  readonly hidden: string | undefined;
}

/** How many things are told of at most: a database that lacks all of them is another one. */
const MOST = 200;

function notKnown(why: string): Drift {
  return { drifted: [], undeclared: [], more: false, unknown: why, hidden: undefined };
}

/** The names by which SQL speaks of a thing: where it has no name of its own, or one that others have too, with its table. */
function namesOf({ of, table, name }: Difference): readonly string[] {
  if (of === 'column') return [table, name];
  return of === 'primary key' ? [table] : [name];
}

/**
 * With the migration that made it; undefined where people have changed it by their own SQL: by a migration of theirs, or by an edit
 * of a generated one, which makes it no longer.
 */
function traced(difference: Difference, sql: AppliedSql, keysHaveNames: boolean): DriftedThing | undefined {
  const isNameless = difference.of === 'foreign key' && !keysHaveNames;
  const names = isNameless ? [difference.table] : namesOf(difference);
  if (isOwnMatter(sql, names)) return undefined;
  const migration = lastMention(sql, names);
  if (difference.kind === 'undeclared') return { ...difference, migration: undefined };
  return migration === undefined ? undefined : { ...difference, migration };
}

/** Tables that are compared before others have their turn. */
const AT_ONCE = 50;

/** The differences of all tables, one after the other. */
async function* differencesOf(
  forms: readonly StoredForm[],
  found: ReadonlyMap<string, FoundTable>,
  sql: AppliedSql,
  dialect: DialectName,
): AsyncIterable<DriftedThing> {
  for (const [index, form] of forms.entries()) {
    if (index % AT_ONCE === 0) await turn();
    for (const difference of compareTable(dialect, form, found)) {
      const thing = traced(difference, sql, dialect !== 'sqlite');
      if (thing) yield thing;
    }
  }
}

/** Of what is found after `first`, no more than can be told. */
async function driftOf(first: readonly DriftedThing[], found: AsyncIterable<DriftedThing>): Promise<Drift> {
  const all = [...first];
  for await (const thing of found) if (all.push(thing) > MOST) break;
  const shown = all.slice(0, MOST);
  return {
    drifted: shown.filter(({ kind }) => kind !== 'undeclared'),
    undeclared: shown.filter(({ kind }) => kind === 'undeclared'),
    more: all.length > MOST,
    unknown: undefined,
    hidden: undefined,
  };
}

/** Without the triggers and keys that the account may not see, which are not missing for that. */
async function withoutHidden(executor: Executor, drift: Drift): Promise<Drift> {
  const mayHide = ({ kind, of }: DriftedThing): boolean =>
    kind === 'missing' && (of === 'trigger' || of === 'foreign key');
  if (executor.dialect.name !== 'mysql' || !drift.drifted.some(mayHide)) return drift;
  const rights = await readCatalogueRights(executor);
  const isSeen = ({ kind, of, table }: DriftedThing): boolean =>
    kind !== 'missing' || (of !== 'trigger' && of !== 'foreign key') || rights.sees(of, table);
  const drifted = drift.drifted.filter(isSeen);
  const count = drift.drifted.length - drifted.length;
  if (count === 0) return drift;
  const hidden = `whether ${count} triggers and foreign keys are there can't be seen by this account, which lacks a right: ${rights.remedy}`;
  return { ...drift, drifted, hidden };
}

/** Where a database is not as these migrations have left it, which are those that it has. Only reads. */
export async function driftFrom(
  executor: Executor,
  migrations: readonly MigrationFiles[],
  signal?: AbortSignal,
): Promise<Drift> {
  const dialect = executor.dialect.name;
  let expected: ReadonlyMap<string, ExpectedTable>;
  // Reading large plans takes its time: others have their turn before it and after it.
  await turn();
  try {
    expected = expectedTables(migrations);
  } catch (error) {
    return notKnown(`the plans of the migrations can't be read: ${error instanceof Error ? error.message : ''}`);
  }
  await turn();
  const forms = [...expected.values()].map((table) => storedForm(table, dialect));
  const sql = appliedSql(migrations, dialect);
  const own = ownThings(sql);
  const names = [...forms.flatMap(({ name, wordTables }) => [name, ...wordTables]), ...ownTables(own)];
  const found = await readTables(executor, [...new Set(names)], signal);
  const missing = missingOwn(own, found).map((one) => ({ ...one, migration: lastMention(sql, [one.table, one.name]) }));
  return withoutHidden(executor, await driftOf(missing, differencesOf(forms, found, sql, dialect)));
}

/** The name of a migration that is half applied or half undone. */
async function halfDone(executor: Executor): Promise<string | undefined> {
  try {
    const row = await executor.get(raw(`SELECT name FROM ${PROGRESS_TABLE}`));
    return row && String(row['name']);
  } catch (error) {
    if (isNoTable(error)) return undefined;
    throw error;
  }
}

/**
 * Where a database is not as its applied migrations have left it. `directory`: the project's folder `migrations`. Only reads:
 * the files, and the catalogue for a few tables at a time. Throws a MigrationError if the files were changed, and once `signal`
 * is aborted.
 */
export async function findDrift(executor: Executor, directory: string, signal?: AbortSignal): Promise<Drift> {
  const [files, applied] = await Promise.all([readMigrationFiles(directory), readApplied(executor)]);
  const unfinished = await halfDone(executor);
  if (unfinished !== undefined) return notKnown(`the migration ${unfinished} is half done: npm run migrate -- up`);
  const newer = applied.find(({ name }, index) => files[index]?.name !== name);
  if (newer) return notKnown(`the database has the migration ${newer.name}, which this server does not know`);
  return driftFrom(executor, files.slice(0, applied.length), signal);
}
