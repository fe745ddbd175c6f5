/** Renames what the server keeps of entries for later: nobody would find it by the former names. */
import type { Rename } from '#contract/migrations/plan.ts';
import { RECORDS } from '../../storage/server-tables.ts';
import type { Table } from '../../storage/storage-model.ts';
import { causeOf, type DiffContext } from './diff-context.ts';
import { inOrder, type NameChange } from './rename-order.ts';

function names<T>(changes: readonly NameChange<T>[]): readonly { readonly from: string; readonly to: string }[] {
  return changes.map(({ from, to }) => ({ from, to }));
}

/** `tables`: the renames of tables, in their order. */
export function renameRecords(
  { draft, before, after }: DiffContext,
  renames: readonly Rename[],
  tables: readonly NameChange<Table>[],
): void {
  const kept = RECORDS.filter((name) =>
    [before, after].every((state) => state.tables.some((one) => one.name === name)),
  );
  const own = renames.filter(({ kind }) => kind === 'type').map(({ from, to }) => ({ from, to, thing: to }));
  const types = inOrder(
    own,
    own.map(({ from }) => from),
  );
  const [table] = tables;
  const cause = types[0]?.thing ?? (table && causeOf(table.thing));
  if (kept.length === 0 || cause === undefined) return;
  draft.add('describe', { kind: 'renameRecords', records: kept, types: names(types), tables: names(tables), cause });
}
