/**
 * The sections of an export, in topological order: a row comes before the foreign keys that reference it. If the references form a
 * cycle, the columns that close it are exported as a section at the end, which updates the existing rows. So an import needs no
 * privilege to disable constraints, on any engine.
 */
import type { Section, TransferColumn, TransferTable } from '../../contract/content-transfer.ts';

/** The tables that rows of each table require, also by way of others. Required references form no cycles. */
function requiredTables(tables: readonly TransferTable[]): (name: string) => ReadonlySet<string> {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const known = new Map<string, ReadonlySet<string>>();
  const of = (name: string): ReadonlySet<string> => {
    const found = known.get(name);
    if (found) return found;
    known.set(name, new Set());
    const direct = (byName.get(name)?.columns ?? []).flatMap(({ references, required }) =>
      required && references !== undefined ? [references] : [],
    );
    const all = new Set(direct.flatMap((one) => [one, ...of(one)]));
    known.set(name, all);
    return all;
  };
  return of;
}

/**
 * Topological sort by depth-first search: each table after those that it references. A cycle is broken where it was entered, or before
 * a table that requires one that is still to come.
 */
function sortTopologically(tables: readonly TransferTable[]): readonly TransferTable[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const requiredBy = requiredTables(tables);
  const entered = new Set<string>();
  const ordered: TransferTable[] = [];
  const isOpen = (name: string): boolean => path.some(({ table }) => table.name === name);
  const mayFollow = ({ references, required }: TransferColumn): boolean =>
    references !== undefined && (required === true || ![...requiredBy(references)].some(isOpen));
  const path: { readonly table: TransferTable; next: number }[] = [];
  const enter = (table: TransferTable | undefined): void => {
    if (!table || entered.has(table.name)) return;
    entered.add(table.name);
    path.push({ table, next: 0 });
  };
  for (const start of tables) {
    enter(start);
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const column = top.table.columns[top.next];
      top.next += 1;
      if (column) {
        if (column.references !== undefined && mayFollow(column)) enter(byName.get(column.references));
      } else {
        ordered.push(top.table);
        path.pop();
      }
    }
  }
  return ordered;
}

/** The sections of all tables: first their rows, then the columns that close cycles. */
export function planSections(tables: readonly TransferTable[]): readonly Section[] {
  const exported = new Set<string>();
  const sections: Section[] = [];
  const fills: Section[] = [];
  for (const { name: table, key, columns } of sortTopologically(tables)) {
    const isLate = ({ references }: TransferColumn) => references !== undefined && !exported.has(references);
    sections.push({ table, key, columns: columns.filter((column) => !isLate(column)), fills: false });
    const late = columns.filter(isLate);
    const keys = columns.filter(({ name }) => key.includes(name));
    if (late.length > 0) fills.push({ table, key, columns: [...keys, ...late], fills: true });
    exported.add(table);
  }
  return [...sections, ...fills];
}
