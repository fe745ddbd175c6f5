/** Matches tables, columns and keys of the last state with those of the schema. Only names decide; nothing is guessed. */
import { isDeepStrictEqual } from 'node:util';
import { COLUMN_NAMES } from '#contract/column-names.ts';
import { isComputed } from '#contract/stored-table.ts';
import type { Column, ForeignKey, Holds, Index, StorageModel, Table } from '../../storage/storage-model.ts';
import { isTypeTable, labelOfTable } from '../../storage/table-origin.ts';
import { conversionOf } from './conversion.ts';

export interface Pair<T> {
  readonly before: T;
  readonly after: T;
}

/** The result of matching two lists. */
export interface Pairing<T> {
  readonly pairs: readonly Pair<T>[];
  readonly gone: readonly T[];
  readonly added: readonly T[];
}

/** `find` for iterables. */
function firstOf<T>(things: Iterable<T>, isMeant: (thing: T) => boolean): T | undefined {
  for (const thing of things) if (isMeant(thing)) return thing;
  return undefined;
}

/** Matches items by the first test, then the remaining ones by the next test, and so on. */
function pairUp<T>(before: readonly T[], after: readonly T[], tests: readonly ((a: T, b: T) => boolean)[]): Pairing<T> {
  const pairs: Pair<T>[] = [];
  const added = new Set(after);
  let gone = before;
  for (const isSame of tests) {
    const left: T[] = [];
    for (const one of gone) {
      const other = firstOf(added, (candidate) => isSame(one, candidate));
      if (other === undefined) {
        left.push(one);
        continue;
      }
      pairs.push({ before: one, after: other });
      added.delete(other);
    }
    gone = left;
  }
  return { pairs, gone, added: [...added] };
}

/** Table name in the last state → table name in the schema. */
export type TableNames = ReadonlyMap<string, string>;

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, index) => name === b[index]);
}

function foreignKeyOf(table: Table, column: string): ForeignKey | undefined {
  return table.foreignKeys.find((key) => key.column === column);
}

function sameTarget(names: TableNames, a: ForeignKey | undefined, b: ForeignKey | undefined): boolean {
  if (!a || !b) return a === b;
  return names.get(a.references) === b.references;
}

/** Matches tables of types by uid, or else by table name; other tables by their origin and the tables that they reference. */
export function pairTables(before: StorageModel, after: StorageModel): Pairing<Table> {
  const types = pairUp(before.tables.filter(isTypeTable), after.tables.filter(isTypeTable), [
    (a, b) => a.uid === b.uid,
    (a, b) => a.name === b.name,
  ]);
  const names = new Map(types.pairs.map((pair) => [pair.before.name, pair.after.name]));
  const isOther = (table: Table): boolean => !isTypeTable(table);
  const targets = (a: Table, b: Table): boolean =>
    [COLUMN_NAMES.owner, COLUMN_NAMES.target].every((column) => {
      const [one, other] = [foreignKeyOf(a, column), foreignKeyOf(b, column)];
      return sameTarget(names, one, other);
    });
  const others = pairUp(before.tables.filter(isOther), after.tables.filter(isOther), [
    (a, b) => labelOfTable(a) === labelOfTable(b) && targets(a, b),
  ]);
  return {
    pairs: [...types.pairs, ...others.pairs],
    gone: [...types.gone, ...others.gone],
    added: [...types.added, ...others.added],
  };
}

function sameContent(a: Holds | undefined, b: Holds | undefined): boolean {
  if (!a || !b) return a === b;
  if (a.kind === 'zone' || b.kind === 'zone') return a.kind === b.kind;
  return a.component === b.component;
}

/** Whether values can stay as those of an enumeration: they are compared with its values before any conversion, as texts. */
function fitsEnumeration(a: Column, b: Column): boolean {
  return !b.values || a.type === 'string' || a.type === 'text';
}

/** Whether the values of a column can stay, as they are or converted. */
function staysColumn(names: TableNames, tables: Pair<Table>, a: Column, b: Column): boolean {
  return (
    conversionOf(a.type, b.type) !== undefined &&
    fitsEnumeration(a, b) &&
    a.secret === b.secret &&
    sameContent(a.holds, b.holds) &&
    sameTarget(names, foreignKeyOf(tables.before, a.name), foreignKeyOf(tables.after, b.name))
  );
}

function identityOf({ name, role, attribute, targetType }: Column): string {
  return `${role} ${role === 'other' ? name : (attribute ?? targetType ?? '')}`;
}

/** Matches columns of one table by role and attribute. Columns whose values can't be kept don't match, even with the same name. */
export function pairColumns(names: TableNames, tables: Pair<Table>): Pairing<Column> {
  const stays = (a: Column, b: Column): boolean => staysColumn(names, tables, a, b);
  return pairUp(tables.before.columns, tables.after.columns, [
    (a, b) => identityOf(a) === identityOf(b) && stays(a, b),
    (a, b) => a.name === b.name && a.type === b.type && stays(a, b),
  ]);
}

/** Whether a computed index can be kept: engines tie it to the names of its table and columns, and can't rename or alter these under it. */
function staysComputed({ before, after }: Pair<Table>, a: Index, b: Index): boolean {
  const shapesIn = ({ columns }: Table, names: readonly string[]): unknown =>
    names.map((name) => {
      const column = columns.find((one) => one.name === name);
      return column && [column.name, column.type, column.nullable, column.default];
    });
  return (
    a.name === b.name &&
    before.name === after.name &&
    isDeepStrictEqual(shapesIn(before, a.columns), shapesIn(after, b.columns))
  );
}

/** Matches indexes of one table by their columns and options. `columns` maps old to new column names. */
export function pairIndexes(tables: Pair<Table>, columns: ReadonlyMap<string, string>): Pairing<Index> {
  const canStay = (a: Index, b: Index): boolean => !isComputed(a) || staysComputed(tables, a, b);
  return pairUp(tables.before.indexes, tables.after.indexes, [
    (a, b) =>
      a.unique === b.unique &&
      isDeepStrictEqual(a.sorts, b.sorts) &&
      a.within === b.within &&
      isDeepStrictEqual(a.search, b.search) &&
      isDeepStrictEqual(a.member, b.member) &&
      canStay(a, b) &&
      sameList(
        a.columns.map((name) => columns.get(name) ?? ''),
        b.columns,
      ),
  ]);
}

/** Matches the foreign keys of columns that are kept. */
export function pairForeignKeys(
  tables: Pair<Table>,
  columns: ReadonlyMap<string, string>,
): readonly Pair<ForeignKey>[] {
  return tables.before.foreignKeys.flatMap((before) => {
    const column = columns.get(before.column);
    const after = column === undefined ? undefined : foreignKeyOf(tables.after, column);
    return after ? [{ before, after }] : [];
  });
}
