/** Increments the versions of a list's members and former owners, if the other side of the relation is one of their attributes. */
import { NewId } from '../../database/new-id.ts';
import { raw, sql, type Sql } from '../../database/sql.ts';
import type { Statement } from '../../database/write-plan.ts';
import { countWrites, countWritesOf, countWritesOfIds } from '../../write/version.ts';
import { columnOf, idRows, idsOf, ofList, type OwnedList } from './list-table.ts';
import type { EntryRef } from './relation-change.ts';

/** Counts a write of the rows with these ids, except the owner's own: that is counted when its row is written. */
function countExceptOwner({ dialect, list, owner }: OwnedList, table: string, ids: Sql): Statement {
  return countWritesOf(dialect, table, ids, table === list.owners ? owner : undefined);
}

/** Counts a write of the members that leave: those whose links meet the condition, of the type `only` or of all types. */
export function countMembers(owned: OwnedList, condition: Sql, only?: string): readonly Statement[] {
  const { dialect, list } = owned;
  return list.members.flatMap(({ type, column, bothSides }) => {
    if (bothSides === undefined || (only !== undefined && only !== type)) return [];
    const leaving = sql`SELECT ${dialect.id(column)} AS k FROM ${dialect.id(list.table)} WHERE ${condition}`;
    return [countExceptOwner(owned, bothSides, leaving)];
  });
}

/** Up to this many ids, every engine looks the rows up by id; with more, some scan the whole table. */
const MAX_LOOKED_UP = 100;

/** New members of one type. */
interface NewMembers {
  /** The table of the type. */
  readonly table: string;
  /** The column of the list's table that contains their ids. */
  readonly column: string;
  readonly ids: readonly number[];
  /** Whether some of them may already be members, which are not counted. */
  readonly someStay: boolean;
}

function countFew(owned: OwnedList, { table, column, ids, someStay }: NewMembers): Statement {
  const { dialect, list, owner } = owned;
  const isOwners = table === list.owners && !(owner instanceof NewId);
  if (!someStay && !isOwners) return countWritesOfIds(dialect, table, new Set(ids));
  const link = sql`${dialect.id(list.table)} AS l`;
  const isTheirs = sql`${ofList(owned, 'l')} AND ${columnOf(dialect, 'l', column)} = ${columnOf(dialect, table, 'id')}`;
  const isNew = someStay ? sql` AND NOT EXISTS (SELECT 1 FROM ${link} WHERE ${isTheirs})` : raw('');
  const isOther = isOwners ? sql` AND id <> ${owner}` : raw('');
  return countWrites(dialect, table, sql`${dialect.isOneOf(raw('id'), ids)}${isOther}${isNew}`);
}

function countMany(owned: OwnedList, { table, column, ids, someStay }: NewMembers): Statement {
  const { dialect, list } = owned;
  const member = columnOf(dialect, 'l', column);
  const link = sql`${dialect.id(list.table)} AS l`;
  const given = sql`SELECT i.id AS k FROM ${idRows(dialect, ids)} AS i`;
  const isNew = sql` LEFT JOIN ${link} ON ${ofList(owned, 'l')} AND ${member} = i.id WHERE ${member} IS NULL`;
  return countExceptOwner(owned, table, someStay ? sql`${given}${isNew}` : given);
}

/** Counts a write of the new members. `mayBeIn`: some entries may already be members, which are not counted. */
export function countNewMembers(
  owned: OwnedList,
  entries: readonly EntryRef[],
  mayBeIn: boolean,
): readonly Statement[] {
  // The list of a new owner is empty.
  const someStay = mayBeIn && !(owned.owner instanceof NewId);
  return owned.list.members.flatMap(({ type, column, bothSides: table }) => {
    const ids = idsOf(type, entries);
    if (table === undefined || ids.length === 0) return [];
    const count = ids.length > MAX_LOOKED_UP ? countMany : countFew;
    return [count(owned, { table, column, ids, someStay })];
  });
}

/** Counts a write of the owners that lose these children. */
export function countFormerOwners(
  { dialect, list, owner }: OwnedList,
  children: readonly number[],
): readonly Statement[] {
  if (list.owners === undefined) return [];
  const own = dialect.id(list.own);
  const taken = sql`${dialect.isOneOf(raw('id'), children)} AND ${own} <> ${owner}`;
  return [countWritesOf(dialect, list.owners, sql`SELECT ${own} AS k FROM ${dialect.id(list.table)} WHERE ${taken}`)];
}
