/** Whose versions a change of a list counts up, beside that of its owner: those on its other side, where it is an attribute of theirs. */
import { NewId } from '../../database/new-id.ts';
import { raw, sql, type Sql } from '../../database/sql.ts';
import type { Statement } from '../../database/write-plan.ts';
import { countWrites, countWritesOf } from '../../write/version.ts';
import { columnOf, idRows, idsOf, ofList, type OwnedList } from './list-table.ts';
import type { EntryRef } from './relation-change.ts';

/** The owner's own row is counted with the write of it. */
function countBut({ dialect, list, owner }: OwnedList, table: string, ids: Sql): Statement {
  return countWritesOf(dialect, table, ids, table === list.owners ? owner : undefined);
}

/** Counts the members that leave: those whose links meet a condition, of one type or of all. */
export function countMembers(owned: OwnedList, condition: Sql, only?: string): readonly Statement[] {
  const { dialect, list } = owned;
  return list.members.flatMap(({ type, column, bothSides }) => {
    if (bothSides === undefined || (only !== undefined && only !== type)) return [];
    const leaving = sql`SELECT ${dialect.id(column)} AS k FROM ${dialect.id(list.table)} WHERE ${condition}`;
    return [countBut(owned, bothSides, leaving)];
  });
}

/** Counts those that come. `mayBeIn`: some of them may be in the list already, and stay as they are. */
export function countNewMembers(
  owned: OwnedList,
  entries: readonly EntryRef[],
  mayBeIn: boolean,
): readonly Statement[] {
  const { dialect, list } = owned;
  return list.members.flatMap(({ type, column, bothSides }) => {
    const ids = idsOf(type, entries);
    if (bothSides === undefined || ids.length === 0) return [];
    // Of a new owner, all of them come.
    if (!mayBeIn && owned.owner instanceof NewId) {
      return [countWrites(dialect, bothSides, dialect.isOneOf(raw('id'), ids))];
    }
    const given = sql`SELECT i.id AS k FROM ${idRows(dialect, ids)} AS i`;
    const member = columnOf(dialect, 'l', column);
    const link = sql`${ofList(owned, 'l')} AND ${member} = i.id`;
    const isNew = sql` LEFT JOIN ${dialect.id(list.table)} AS l ON ${link} WHERE ${member} IS NULL`;
    return [countBut(owned, bothSides, mayBeIn ? sql`${given}${isNew}` : given)];
  });
}

/** Counts the owners from which children are taken. */
export function countFormerOwners(
  { dialect, list, owner }: OwnedList,
  children: readonly number[],
): readonly Statement[] {
  if (list.owners === undefined) return [];
  const own = dialect.id(list.own);
  const taken = sql`${dialect.isOneOf(raw('id'), children)} AND ${own} <> ${owner}`;
  return [countWritesOf(dialect, list.owners, sql`SELECT ${own} AS k FROM ${dialect.id(list.table)} WHERE ${taken}`)];
}
