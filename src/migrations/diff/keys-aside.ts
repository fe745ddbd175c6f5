/** Indexes and foreign keys that are dropped late, although others get their names before that. */
import { isComputed } from '#contract/stored-table.ts';
import type { ForeignKey, Index } from '../../storage/storage-model.ts';
import { isAltered } from './alter-columns.ts';
import { newNames } from './diff-columns.ts';
import type { DiffContext } from './diff-context.ts';
import { type Pair, pairForeignKeys, pairIndexes, type TableNames } from './pair.ts';
import { spareName } from './rename-order.ts';
import type { TableDiff } from './table-diff.ts';

/** Old column name → new one, of the columns that stay. */
export function stayingColumns({ columns }: TableDiff): ReadonlyMap<string, string> {
  return new Map(columns.pairs.map(({ before, after }) => [before.name, after.name]));
}

/** The keys of columns that are dropped late, and the indexes that are no longer needed; without those that are dropped first. */
function lateKeys(diff: TableDiff): {
  readonly indexes: readonly Index[];
  readonly foreignKeys: readonly ForeignKey[];
} {
  const { tables, columns, late } = diff;
  const gone = new Set(columns.gone.map(({ name }) => name));
  const isEarly = (name: string): boolean => gone.has(name) && !late.has(name);
  return {
    indexes: pairIndexes(tables, stayingColumns(diff)).gone.filter(
      (index) => !isComputed(index) && !index.columns.some(isEarly),
    ),
    foreignKeys: tables.before.foreignKeys.filter(({ column }) => gone.has(column) && late.has(column)),
  };
}

function namesOf(things: readonly { readonly name: string }[]): readonly string[] {
  return things.map(({ name }) => name);
}

/** The names that renamed keys and new indexes of a table get before others are dropped. */
function wantedNames(diff: TableDiff): readonly string[] {
  const { tables, columns } = diff;
  const staying = stayingColumns(diff);
  const { pairs, added } = pairIndexes(tables, staying);
  const renamed = [...pairs, ...pairForeignKeys(tables, staying)].filter(
    ({ before, after }) => before.name !== after.name,
  );
  const altered = new Set(columns.pairs.filter((pair) => isAltered(diff, pair)).map(({ after }) => after.name));
  // Those of altered columns, and computed ones, are created last.
  const early = added.filter((index) => !isComputed(index) && !index.columns.some((name) => altered.has(name)));
  return [...renamed.map(({ after }) => after.name), ...namesOf(early)];
}

/** The differences with temporary names for such keys. */
export function withKeysAside(
  { before, after, tables }: DiffContext,
  diffs: readonly TableDiff[],
): readonly TableDiff[] {
  const inNewTables = tables.added.flatMap(({ indexes, foreignKeys }) => namesOf([...indexes, ...foreignKeys]));
  const wanted = new Set([...diffs.flatMap(wantedNames), ...inNewTables]);
  const all = [...before.tables, ...after.tables];
  const taken = new Set(all.flatMap(({ indexes, foreignKeys }) => namesOf([...indexes, ...foreignKeys])));
  return diffs.map((diff) => {
    const { indexes, foreignKeys } = lateKeys(diff);
    const aside = new Map<string, string>();
    for (const name of namesOf([...indexes, ...foreignKeys]).filter((one) => wanted.has(one))) {
      const spare = spareName(name, taken);
      taken.add(spare);
      aside.set(name, spare);
    }
    return { ...diff, aside };
  });
}

/** The renames of indexes to their temporary names. */
export function indexesAside(diff: TableDiff): readonly Pair<Index>[] {
  const columns = newNames(diff);
  return lateKeys(diff).indexes.flatMap((before) => {
    const name = diff.aside.get(before.name);
    if (name === undefined) return [];
    return [{ before, after: { ...before, name, columns: before.columns.map((one) => columns.get(one) ?? one) } }];
  });
}

/** The same for foreign keys. `tables`: the new names of the tables that they refer to. */
export function foreignKeysAside(diff: TableDiff, tables: TableNames): readonly Pair<ForeignKey>[] {
  const columns = newNames(diff);
  return lateKeys(diff).foreignKeys.flatMap((before) => {
    const name = diff.aside.get(before.name);
    if (name === undefined) return [];
    const { column, references } = before;
    const now = { column: columns.get(column) ?? column, references: tables.get(references) ?? references };
    return [{ before, after: { ...before, name, ...now } }];
  });
}
