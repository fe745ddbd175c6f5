/** Whether two storage models are one and the same but for the order of their parts: far faster than the changes between them. */
import { isDeepStrictEqual } from 'node:util';
import type { StorageModel, Table } from '../../storage/storage-model.ts';

function byName<T extends { readonly name: string }>(parts: readonly T[]): Readonly<Record<string, T>> {
  return Object.fromEntries(parts.map((part) => [part.name, part]));
}

/** A table without the order of its parts. The order of the columns of a key counts. */
function unordered(table: Table): unknown {
  const { columns, foreignKeys, indexes, ...rest } = table;
  return { ...rest, columns: byName(columns), foreignKeys: byName(foreignKeys), indexes: byName(indexes) };
}

function unorderedTables({ tables }: StorageModel): ReadonlyMap<string, unknown> {
  return new Map(tables.map((table) => [table.name, unordered(table)]));
}

/** Where it is false, there may still be nothing to do. */
export function isSameStorage(a: StorageModel, b: StorageModel): boolean {
  // Parts that are in the same order are compared as text: that is all there is to do for most builds.
  if (JSON.stringify(a) === JSON.stringify(b)) return true;
  const components = ({ components: shapes = [] }: StorageModel) => new Map(shapes.map((shape) => [shape.uid, shape]));
  return (
    isDeepStrictEqual(a.locales ?? [], b.locales ?? []) &&
    isDeepStrictEqual(components(a), components(b)) &&
    isDeepStrictEqual(unorderedTables(a), unorderedTables(b))
  );
}
