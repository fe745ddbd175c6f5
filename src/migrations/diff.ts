/** What changes from one storage model to another. */
import type { Column, ForeignKey, Index, StorageModel, Table } from '../storage/storage-model.ts';
import type { Change } from './change.ts';

function sameForeignKey(a: ForeignKey | undefined, b: ForeignKey | undefined): boolean {
  return a?.references === b?.references && a?.onDelete === b?.onDelete;
}

/** Defaults don't count: they are for the rows that exist when the column is added, and the server fills all others. */
function sameColumn(from: Table, a: Column, to: Table, b: Column): boolean {
  return (
    a.type === b.type &&
    a.nullable === b.nullable &&
    sameForeignKey(foreignKeyOf(from, a.name), foreignKeyOf(to, b.name))
  );
}

function sameIndex(a: Index, b: Index): boolean {
  return a.unique === b.unique && a.columns.join() === b.columns.join();
}

function foreignKeyOf(table: Table, column: string): ForeignKey | undefined {
  return table.foreignKeys.find((key) => key.column === column);
}

/** What rows that exist already get in a column that is never empty, or whose emptiness would say something else. */
function valueForExistingRows(table: Table, column: Column): { readonly fillFrom?: string } {
  // Entries from before there were drafts are published.
  if (column.name === 'published_at') return { fillFrom: 'created_at' };
  // A list that had no order yet is in the order in which its entries came.
  if (column.type === 'position') return { fillFrom: table.primaryKey[0] ?? 'id' };
  return {};
}

function columnChange(kind: 'addColumn' | 'dropColumn', table: Table, column: Column): Change {
  const foreignKey = foreignKeyOf(table, column.name);
  const where = { table: table.name, column, ...(foreignKey ? { foreignKey } : {}) };
  if (kind === 'dropColumn') return { kind, ...where };
  const isPosition = column.type === 'position' && !column.nullable;
  return {
    kind,
    ...where,
    ...valueForExistingRows(table, column),
    ...(isPosition ? { column: { ...column, default: 0 } } : {}),
  };
}

function byName<T extends { readonly name: string }>(things: readonly T[]): ReadonlyMap<string, T> {
  return new Map(things.map((thing) => [thing.name, thing]));
}

/** Changes of one table that is in both models, by what they do. */
interface TableDiff {
  readonly addColumns: readonly Change[];
  readonly createIndexes: readonly Change[];
  readonly dropIndexes: readonly Change[];
  readonly dropColumns: readonly Change[];
}

function diffTable(from: Table, to: Table): TableDiff {
  const [oldColumns, newColumns] = [byName(from.columns), byName(to.columns)];
  const [oldIndexes, newIndexes] = [byName(from.indexes), byName(to.indexes)];
  const kept = (column: Column): boolean => {
    const [before, after] = [oldColumns.get(column.name), newColumns.get(column.name)];
    return before !== undefined && after !== undefined && sameColumn(from, before, to, after);
  };
  const keptIndex = (index: Index): boolean => {
    const [before, after] = [oldIndexes.get(index.name), newIndexes.get(index.name)];
    return before !== undefined && after !== undefined && sameIndex(before, after);
  };
  return {
    addColumns: to.columns.filter((column) => !kept(column)).map((column) => columnChange('addColumn', to, column)),
    createIndexes: to.indexes
      .filter((index) => !keptIndex(index))
      .map((index) => ({ kind: 'createIndex', table: to.name, index })),
    dropIndexes: from.indexes
      .filter((index) => !keptIndex(index))
      .map((index) => ({ kind: 'dropIndex', table: from.name, index })),
    dropColumns: from.columns
      .filter((column) => !kept(column))
      .map((column) => columnChange('dropColumn', from, column)),
  };
}

/**
 * The changes that turn `from` into `to`, in an order in which they can be made: new tables after those that they reference,
 * then columns and indexes of tables that exist, and what is dropped at the end. A column that is another one now is
 * dropped and added.
 */
export function diffStorage(from: StorageModel, to: StorageModel): readonly Change[] {
  const [before, after] = [byName(from.tables), byName(to.tables)];
  const created = to.tables.filter(({ name }) => !before.has(name));
  const dropped = from.tables.filter(({ name }) => !after.has(name)).toReversed();
  const diffs = to.tables.flatMap((table) => {
    const old = before.get(table.name);
    return old ? [diffTable(old, table)] : [];
  });
  return [
    ...created.map((table): Change => ({ kind: 'createTable', table })),
    ...diffs.flatMap(({ dropIndexes, dropColumns }) =>
      dropColumns.length > 0 ? [...dropIndexes, ...dropColumns] : [],
    ),
    ...diffs.flatMap(({ addColumns }) => addColumns),
    ...diffs.flatMap(({ createIndexes }) => createIndexes),
    ...diffs.flatMap(({ dropIndexes, dropColumns }) => (dropColumns.length > 0 ? [] : dropIndexes)),
    ...dropped.map((table): Change => ({ kind: 'dropTable', table })),
  ];
}
