/** The order in which tables can be created. */
import type { Table } from './storage-model.ts';

/**
 * Topological order: tables follow those they reference, otherwise they keep the given order. A cycle is broken at the
 * table where it was entered: a reference to that table then precedes it.
 */
export function inCreationOrder(tables: readonly Table[]): readonly Table[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const entered = new Set<string>();
  const ordered: Table[] = [];
  /** Tables whose references are being followed, and the index of the next reference to follow. */
  const path: { readonly table: Table; next: number }[] = [];
  const enter = (table: Table | undefined): void => {
    if (!table || entered.has(table.name)) return;
    entered.add(table.name);
    path.push({ table, next: 0 });
  };
  for (const start of tables) {
    enter(start);
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const reference = top.table.foreignKeys[top.next];
      top.next += 1;
      if (reference) {
        enter(byName.get(reference.references));
      } else {
        ordered.push(top.table);
        path.pop();
      }
    }
  }
  return ordered;
}
