/**
 * The parts of an export, in an order in which they can be inserted: no foreign key comes before the row that it names. Where
 * tables refer to each other in a circle, or to themselves, the columns that close the circle have a part of their own at the
 * end, which fills them in rows that are there by then. So it takes no right that a server doesn't have, on any engine.
 */
import type { TransferColumn, TransferTable } from './tables.ts';

export interface Section {
  readonly table: string;
  readonly key: readonly string[];
  /** Those of the key among them. */
  readonly columns: readonly TransferColumn[];
  /** Whether it fills columns of rows that are there; rows of which none of these columns has a value are left out. */
  readonly fills: boolean;
}

/** Each table after those that it refers to; a circle is broken where it was entered. */
function inOrder(tables: readonly TransferTable[]): readonly TransferTable[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const entered = new Set<string>();
  const ordered: TransferTable[] = [];
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
        if (column.references !== undefined) enter(byName.get(column.references));
      } else {
        ordered.push(top.table);
        path.pop();
      }
    }
  }
  return ordered;
}

/** The sections of all tables: their rows, then what closes circles. */
export function planSections(tables: readonly TransferTable[]): readonly Section[] {
  const there = new Set<string>();
  const sections: Section[] = [];
  const fills: Section[] = [];
  for (const { name: table, key, columns } of inOrder(tables)) {
    const isLate = ({ references }: TransferColumn) => references !== undefined && !there.has(references);
    sections.push({ table, key, columns: columns.filter((column) => !isLate(column)), fills: false });
    const late = columns.filter(isLate);
    const keys = columns.filter(({ name }) => key.includes(name));
    if (late.length > 0) fills.push({ table, key, columns: [...keys, ...late], fills: true });
    there.add(table);
  }
  return [...sections, ...fills];
}
