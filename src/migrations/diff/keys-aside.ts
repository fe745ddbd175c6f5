/** Indexes and foreign keys that are dropped late, although others get their names before that. */
import { isComputed } from '#contract/stored-table.ts';
import type { ForeignKey, Index } from '../../storage/storage-model.ts';
import { isAltered, newNames } from './diff-columns.ts';
import type { DiffContext } from './diff-context.ts';
import { pairForeignKeys, pairIndexes } from './pair.ts';
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
  const altered = new Set(columns.pairs.filter(isAltered).map(({ after }) => after.name));
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

/** The renames of these keys to their temporary names. */
export function keysAside(diff: TableDiff): {
  readonly indexes: readonly { readonly before: Index; readonly after: Index }[];
  readonly foreignKeys: readonly { readonly before: ForeignKey; readonly after: ForeignKey }[];
} {
  const { aside } = diff;
  const names = newNames(diff);
  const nameOf = (name: string): string => names.get(name) ?? name;
  const { indexes, foreignKeys } = lateKeys(diff);
  const isAside = ({ name }: { readonly name: string }): boolean => aside.has(name);
  return {
    indexes: indexes.filter(isAside).map((before) => {
      const after = { ...before, name: aside.get(before.name) ?? before.name, columns: before.columns.map(nameOf) };
      return { before, after };
    }),
    foreignKeys: foreignKeys.filter(isAside).map((before) => {
      const after = { ...before, name: aside.get(before.name) ?? before.name, column: nameOf(before.column) };
      return { before, after };
    }),
  };
}
