/** Compares two storage models, ignoring the order of their parts. Much faster than computing the changes between them. */
import { isDeepStrictEqual } from 'node:util';
import type { StorageModel, Table } from '../../storage/storage-model.ts';

function byName<T extends { readonly name: string }>(parts: readonly T[]): Readonly<Record<string, T>> {
  return Object.fromEntries(parts.map((part) => [part.name, part]));
}

/** A table without the order of its parts. The column order within keys and indexes is kept, as it matters. */
function unordered(table: Table): unknown {
  const { columns, foreignKeys, indexes, ...rest } = table;
  return { ...rest, columns: byName(columns), foreignKeys: byName(foreignKeys), indexes: byName(indexes) };
}

/** Whether two tables are equal up to the order of their parts. Nearly all have the same order, which is quick to see. */
function isSameTable(a: Table, b: Table | undefined): boolean {
  if (b === undefined) return false;
  return JSON.stringify(a) === JSON.stringify(b) || isDeepStrictEqual(unordered(a), unordered(b));
}

function hasSameTables({ tables }: StorageModel, { tables: others }: StorageModel): boolean {
  const byOther = new Map(others.map((table) => [table.name, table]));
  return tables.length === byOther.size && tables.every((table) => isSameTable(table, byOther.get(table.name)));
}

/** Whether two models are equal up to order. Models that differ may still need no migration. */
export function isSameStorage(a: StorageModel, b: StorageModel): boolean {
  // Fast path, enough for most builds: the same parts in the same order.
  if (JSON.stringify(a) === JSON.stringify(b)) return true;
  const components = ({ components: shapes = [] }: StorageModel) => new Map(shapes.map((shape) => [shape.uid, shape]));
  return (
    isDeepStrictEqual(a.locales ?? [], b.locales ?? []) &&
    isDeepStrictEqual(components(a), components(b)) &&
    hasSameTables(a, b)
  );
}
