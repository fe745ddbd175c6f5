/** Increments the versions of a list's members and former owners, if the other side of the relation is one of their attributes. */
import { NewId } from '../../database/new-id.ts';
import type { Dialect } from '../../database/dialect.ts';
import { raw, sql, type Sql } from '../../database/sql.ts';
import type { Statement } from '../../database/write-plan.ts';
import { incrementVersionsById, incrementVersionsBySelect, incrementVersionsWhere } from '../../write/version.ts';
import { columnOf, idRows, idsOf, listCondition, type ListTable, type OwnedList } from './list-table.ts';
import type { EntryRef } from './relation-change.ts';

/** Increments the versions of the rows with these ids, except the owner's: that is incremented when its row is written. */
function incrementExceptOwner({ dialect, list, owner }: OwnedList, table: string, ids: Sql): Statement {
  return incrementVersionsBySelect(dialect, table, ids, table === list.owners ? owner : undefined);
}

/** Increments the versions of the members that leave: those whose links meet the condition, of the type `only` or of all types. */
export function incrementVersionsOfLeavingMembers(
  owned: OwnedList,
  condition: Sql,
  only?: string,
): readonly Statement[] {
  const { dialect, list } = owned;
  return list.members.flatMap(({ type, column, bothSides }) => {
    if (bothSides === undefined || (only !== undefined && only !== type)) return [];
    const leaving = sql`SELECT ${dialect.id(column)} AS k FROM ${dialect.id(list.table)} WHERE ${condition}`;
    return [incrementExceptOwner(owned, bothSides, leaving)];
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
  /** Whether some of them may already be members, whose versions stay. */
  readonly someStay: boolean;
}

function incrementFew(owned: OwnedList, { table, column, ids, someStay }: NewMembers): Statement {
  const { dialect, list, owner } = owned;
  const isOwners = table === list.owners && !(owner instanceof NewId);
  if (!someStay && !isOwners) return incrementVersionsById(dialect, table, new Set(ids));
  const link = sql`${dialect.id(list.table)} AS l`;
  const isTheirs = sql`${listCondition(owned, 'l')} AND ${columnOf(dialect, 'l', column)} = ${columnOf(dialect, table, 'id')}`;
  const isNew = someStay ? sql` AND NOT EXISTS (SELECT 1 FROM ${link} WHERE ${isTheirs})` : raw('');
  const isOther = isOwners ? sql` AND id <> ${owner}` : raw('');
  return incrementVersionsWhere(dialect, table, sql`${dialect.isOneOf(raw('id'), ids)}${isOther}${isNew}`);
}

function incrementMany(owned: OwnedList, { table, column, ids, someStay }: NewMembers): Statement {
  const { dialect, list } = owned;
  const member = columnOf(dialect, 'l', column);
  const link = sql`${dialect.id(list.table)} AS l`;
  const given = sql`SELECT i.id AS k FROM ${idRows(dialect, ids)} AS i`;
  const isNew = sql` LEFT JOIN ${link} ON ${listCondition(owned, 'l')} AND ${member} = i.id WHERE ${member} IS NULL`;
  return incrementExceptOwner(owned, table, someStay ? sql`${given}${isNew}` : given);
}

/** Increments the versions of the new members. `mayBeIn`: some entries may already be members, whose versions stay. */
export function incrementVersionsOfNewMembers(
  owned: OwnedList,
  entries: readonly EntryRef[],
  mayBeIn: boolean,
): readonly Statement[] {
  // The list of a new owner is empty.
  const someStay = mayBeIn && !(owned.owner instanceof NewId);
  return owned.list.members.flatMap(({ type, column, bothSides: table }) => {
    const ids = idsOf(type, entries);
    if (table === undefined || ids.length === 0) return [];
    const count = ids.length > MAX_LOOKED_UP ? incrementMany : incrementFew;
    return [count(owned, { table, column, ids, someStay })];
  });
}

/** Increments the versions of the members of lists whose owners are new. */
export function incrementVersionsOfFirstMembers(
  dialect: Dialect,
  list: ListTable,
  entries: readonly EntryRef[],
): readonly Statement[] {
  return list.members.flatMap(({ type, bothSides: table }) => {
    const ids = new Set(idsOf(type, entries));
    if (table === undefined || ids.size === 0) return [];
    if (ids.size <= MAX_LOOKED_UP) return [incrementVersionsById(dialect, table, ids)];
    return [incrementVersionsBySelect(dialect, table, sql`SELECT i.id AS k FROM ${idRows(dialect, ids)} AS i`)];
  });
}

/** Increments the versions of the owners that lose these children. */
export function incrementVersionsOfFormerOwners(
  { dialect, list, owner }: OwnedList,
  children: readonly number[],
): readonly Statement[] {
  if (list.owners === undefined) return [];
  const own = dialect.id(list.own);
  const taken = sql`${dialect.isOneOf(raw('id'), children)} AND ${own} <> ${owner}`;
  return [
    incrementVersionsBySelect(
      dialect,
      list.owners,
      sql`SELECT ${own} AS k FROM ${dialect.id(list.table)} WHERE ${taken}`,
    ),
  ];
}
