/** Statements that write the rows of a list. Their number doesn't depend on the number of entries. */
import type { Dialect, GivenRow, JsonColumnType } from '../../database/dialect.ts';
import { NewId } from '../../database/new-id.ts';
import { deleteRows, join, raw, sql, type Sql } from '../../database/sql.ts';
import { statement, type Statement } from '../../database/write-plan.ts';
import { rowsWhere, touching, versionIncrement, versionIncrementOfT } from '../../write/version.ts';
import {
  incrementVersionsOfFormerOwners,
  incrementVersionsOfLeavingMembers,
  incrementVersionsOfNewMembers,
} from './list-versions.ts';
import { columnOf, idsOf, listCondition, type ListTable, type OwnedList } from './list-table.ts';
import type { ListWrites, PlacedEntry } from './plan-list-writes.ts';
import { POSITION_STEP } from '../../contract/position-step.ts';
import { edgePosition } from './read-list.ts';
import type { EntryRef } from './relation-change.ts';

/** The condition that a row of the list's table belongs to one of these members. */
function isOneOf({ dialect, list }: OwnedList, column: string, ids: readonly number[]): Sql {
  return dialect.isOneOf(columnOf(dialect, list.table, column), ids);
}

/** The condition that a row of the list's table belongs to none of these entries. */
function isNoneOf(owned: OwnedList, entries: readonly EntryRef[]): Sql {
  const conditions = owned.list.members.map(({ type, column }) => {
    const ids = idsOf(type, entries);
    const id = columnOf(owned.dialect, owned.list.table, column);
    return ids.length === 0 ? raw('1 = 1') : sql`(${id} IS NULL OR NOT ${isOneOf(owned, column, ids)})`;
  });
  return join(conditions, ' AND ');
}

/** The columns that identify the list that a row belongs to, with their values. */
function listColumns<Owner>({ list, owner }: { readonly list: ListTable; readonly owner: Owner }) {
  return [[list.own, owner] as const, ...Object.entries(list.fixed ?? {})];
}

type Rows = readonly (EntryRef & Partial<PlacedEntry>)[];

const PLACED: Readonly<Record<string, JsonColumnType>> = { id: 'integer', position: 'integer' };

/** The entries of a type as rows with `id`, `position` and `more` columns. Undefined if there are none. */
function rowsOf(
  dialect: Dialect,
  type: string,
  entries: Rows,
  more: { readonly values: GivenRow; readonly types: typeof PLACED } = { values: {}, types: {} },
): Sql | undefined {
  const rows: GivenRow[] = [];
  for (const { type: kind, id, position = 0 } of entries) {
    if (kind === type) rows.push({ id, position, ...more.values });
  }
  return rows.length === 0 ? undefined : dialect.givenRows(rows, { ...PLACED, ...more.types });
}

/**
 * The rows of `rowsOf` with the values of `listColumns` as the further columns `v0`, `v1`, … Joining on all columns makes SQLite
 * look up the members one by one; with the owner as a parameter, it would read the whole list.
 */
function memberRowsOf({ dialect, list, owner }: OwnedList, type: string, entries: Rows): Sql | undefined {
  if (entries.length === 0) return undefined;
  const id = owner instanceof NewId ? owner.value : owner;
  const own = listColumns({ list, owner: id }).map(([, value], index) => [`v${index}`, value] as const);
  return rowsOf(dialect, type, entries, {
    values: Object.fromEntries(own),
    types: Object.fromEntries(own.map(([name, value]) => [name, typeof value === 'number' ? 'integer' : 'text'])),
  });
}

/** The condition that `t` is the row of the member `r` in this list. */
function isMember(owned: OwnedList, column: string): Sql {
  const { dialect } = owned;
  const own = listColumns(owned).map(([name], index) => sql`${columnOf(dialect, 't', name)} = ${raw(`r.v${index}`)}`);
  return join([...own, sql`${columnOf(dialect, 't', column)} = r.id`], ' AND ');
}

/** Removes all members except `entries`. Reads the whole list. */
function removeAllBut(owned: OwnedList, entries: readonly EntryRef[]): Statement[] {
  const { dialect, list } = owned;
  // Not every engine supports a table alias in DELETE.
  const table = dialect.id(list.table);
  const condition = sql`${listCondition(owned, list.table)} AND ${isNoneOf(owned, entries)}`;
  if (list.kind === 'links') {
    return [...incrementVersionsOfLeavingMembers(owned, condition), statement(deleteRows(table, condition))];
  }
  const cleared = sql`${dialect.id(list.own)} = NULL, ${dialect.id(list.position)} = NULL, ${versionIncrement(dialect)}`;
  const ids = rowsWhere(dialect, list.table, condition);
  return [touching(sql`UPDATE ${table} SET ${cleared} WHERE ${condition}`, { table: list.table, ids })];
}

function removeThese(owned: OwnedList, entries: readonly EntryRef[]): Statement[] {
  if (entries.length === 0) return [];
  const { dialect, list } = owned;
  return list.members.flatMap(({ type, column }) => {
    const rows = memberRowsOf(owned, type, entries);
    if (!rows) return [];
    if (list.kind === 'links') {
      const condition = sql`${listCondition(owned, list.table)} AND ${isOneOf(owned, column, idsOf(type, entries))}`;
      return [
        ...incrementVersionsOfLeavingMembers(owned, condition, type),
        statement(deleteRows(dialect.id(list.table), condition)),
      ];
    }
    const cleared = { [list.own]: raw('NULL'), [list.position]: raw('NULL'), ...versionIncrementOfT(dialect) };
    const update = dialect.updateFrom(list.table, rows, cleared, isMember(owned, column));
    return [touching(update, { table: list.table, ids: idsOf(type, entries) })];
  });
}

function move(owned: OwnedList, entries: readonly PlacedEntry[]): Statement[] {
  const { dialect, list } = owned;
  return list.members.flatMap(({ type, column }) => {
    const rows = memberRowsOf(owned, type, entries);
    if (!rows) return [];
    const assign = { [list.position]: raw('r.position') };
    return [statement(dialect.updateFrom(list.table, rows, assign, isMember(owned, column)))];
  });
}

/** Sets the owner of children, which takes them from their former owners. */
function insertChildren({ dialect, list, owner }: OwnedList, entries: readonly PlacedEntry[]): Statement[] {
  return list.members.flatMap(({ type, column }) => {
    const rows = rowsOf(dialect, type, entries);
    if (!rows) return [];
    const assign = { [list.own]: sql`${owner}`, [list.position]: raw('r.position'), ...versionIncrementOfT(dialect) };
    return [
      ...incrementVersionsOfFormerOwners({ dialect, list, owner }, idsOf(type, entries)),
      touching(dialect.updateFrom(list.table, rows, assign, sql`${columnOf(dialect, 't', column)} = r.id`), {
        table: list.table,
        ids: idsOf(type, entries),
      }),
    ];
  });
}

/** New members in an INSERT … SELECT: expressions for id and planned position, and the FROM clause. */
interface NewMember {
  readonly id: Sql;
  readonly place: Sql;
  readonly from: Sql;
  /** Whether it is a single member, given by constants. */
  readonly isOnly: boolean;
}

/** A single member is given by constants on engines that find a correlated MAX by an index only for constants. */
function newMembers(dialect: Dialect, type: string, entries: readonly PlacedEntry[]): NewMember | undefined {
  const own = entries.filter((entry) => entry.type === type);
  const [first] = own;
  if (first && own.length === 1 && !dialect.indexedCorrelatedMinMax) {
    return { id: sql`${first.id}`, place: sql`${first.position}`, from: raw(''), isOnly: true };
  }
  const rows = rowsOf(dialect, type, own);
  return rows && { id: raw('r.id'), place: raw('r.position'), from: sql` FROM ${rows} AS r`, isOnly: false };
}

/**
 * The position after the last owner in a member's own list. Uses MAX only for a single member: for several, MySQL would read all
 * rows.
 */
function endOfOtherSide({ dialect, list }: OwnedList, column: string, otherPosition: string, member: NewMember): Sql {
  const position = columnOf(dialect, 'o', otherPosition);
  const owners = sql`${dialect.id(list.table)} AS o WHERE ${columnOf(dialect, 'o', column)} = ${member.id}`;
  const last = member.isOnly
    ? dialect.neverNull(sql`SELECT COALESCE(MAX(${position}), 0) FROM ${owners}`)
    : dialect.firstOrZero(position, owners, sql`${position} DESC`);
  return sql`${last} + ${raw(String(POSITION_STEP))}`;
}

/** Inserts links. `position` turns a planned position into the expression to store; `upsert`: also moves existing links there. */
function insertLinks(
  owned: OwnedList,
  entries: readonly PlacedEntry[],
  { position, upsert }: { readonly position: (place: Sql) => Sql; readonly upsert: boolean },
): Statement[] {
  const { dialect, list } = owned;
  return list.members.flatMap(({ type, column }) => {
    const member = newMembers(dialect, type, entries);
    if (!member) return [];
    const values: [string, Sql][] = listColumns(owned).map(([name, value]) => [name, sql`${value}`]);
    values.push([column, member.id], [list.position, position(member.place)]);
    if (list.otherPosition !== undefined) {
      values.push([list.otherPosition, endOfOtherSide(owned, column, list.otherPosition, member)]);
    }
    const names = values.map(([name]) => dialect.id(name));
    const selected = values.map(([, value]) => value);
    const insert = sql`INSERT INTO ${dialect.id(list.table)} (${join(names, ', ')}) SELECT ${join(selected, ', ')}${member.from}`;
    // The WHERE clause keeps SQLite from parsing ON CONFLICT as the ON of a join.
    const onConflict = sql` WHERE 1 = 1 ${dialect.onConflict({ key: [list.own, column], update: list.position })}`;
    return [statement(upsert ? sql`${insert}${onConflict}` : insert)];
  });
}

/** Adds entries to the end of a list, or moves them there. */
function appendLinks(owned: OwnedList, entries: readonly EntryRef[]): Statement[] {
  const placed = entries.map((entry, index) => ({ ...entry, position: (index + 1) * POSITION_STEP }));
  const position = (place: Sql): Sql => sql`${edgePosition(owned, 'MAX', raw('0'))} + ${place}`;
  return [
    ...incrementVersionsOfNewMembers(owned, entries, true),
    ...insertLinks(owned, placed, { position, upsert: true }),
  ];
}

function insertMembers(owned: OwnedList, entries: readonly PlacedEntry[]): Statement[] {
  return owned.list.kind === 'links'
    ? [
        ...incrementVersionsOfNewMembers(owned, entries, false),
        ...insertLinks(owned, entries, { position: (place) => place, upsert: false }),
      ]
    : insertChildren(owned, entries);
}

/** The statements that execute the planned writes: removals, then moves, then insertions. */
export function writeList(owned: OwnedList, writes: ListWrites): readonly Statement[] {
  const { remove, move: moved, insert, append } = writes;
  if (append) return appendLinks(owned, append);
  return [
    ...(remove.kind === 'allBut' ? removeAllBut(owned, remove.entries) : removeThese(owned, remove.entries)),
    ...move(owned, moved),
    ...insertMembers(owned, insert),
  ];
}
