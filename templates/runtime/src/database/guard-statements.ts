/** The statements with which a transaction on a database server checks its guards. */
import type { Batches } from './dialect.ts';
import type { Guard, GuardedRows, RowSet } from './guard.ts';
import { statement, type Statement } from './write-plan.ts';

/** What runs before the statements of a batch. */
export interface Guarding {
  readonly before: readonly Statement[];
  /** Statements of the batch that were moved into `before`. */
  readonly moved: ReadonlySet<Statement>;
}

function isSame(one: RowSet, other: RowSet): boolean {
  return one.table === other.table && one.ids.size === other.ids.size && [...one.ids].every((id) => other.ids.has(id));
}

/** The guarded rows of all guards, one set for each table: a write of many entries has many guards of the same tables. */
function merged(guards: readonly Guard[]): readonly GuardedRows[] {
  const [first, ...others] = guards;
  if (!first || others.length === 0) return first?.rows ?? [];
  const sets = new Map<string, GuardedRows & { readonly ids: Set<number> }>();
  for (const rows of guards.flatMap((guard) => guard.rows)) {
    const key = `${rows.table} ${rows.locks}`;
    const set = sets.get(key) ?? { ...rows, ids: new Set() };
    sets.set(key, set);
    for (const id of rows.ids) set.ids.add(id);
  }
  return [...sets.values()].sort((a, b) => (a.table < b.table ? -1 : 1));
}

/**
 * Checks guards before a batch. Rows that one of its statements changes need no SELECT if the engine reports the number of
 * changed rows: that statement moves to the front and takes the lock.
 */
export function guardStatements(
  { assertRowCount, assertChanged }: Batches,
  guards: readonly Guard[],
  batch: readonly Statement[],
): Guarding {
  const before: Statement[] = [];
  const moved = new Set<Statement>();
  let selected: GuardedRows[] = [];
  const select = (): void => {
    if (selected.length > 0) before.push(statement(assertRowCount(selected)));
    selected = [];
  };
  for (const rows of merged(guards)) {
    const changing =
      assertChanged && batch.find((one) => one.changedRows && !moved.has(one) && isSame(one.changedRows, rows));
    if (!changing) {
      selected.push(rows);
      continue;
    }
    select();
    before.push(changing, statement(assertChanged(rows.ids.size)));
    moved.add(changing);
  }
  select();
  return { before, moved };
}
