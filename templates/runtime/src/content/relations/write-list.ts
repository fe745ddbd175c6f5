/** Writes the rows of a list. The number of statements does not depend on the number of entries. */
import { send } from '../../database/send.ts';
import type { Dialect, GivenRow, JsonColumnType } from '../../database/dialect.ts';
import { join, raw, sql, type Sql } from '../../database/sql.ts';
import { columnOf, idsOf, ofList, type ListTable, type OwnedList } from './list-table.ts';
import type { ListWrites, PlacedEntry } from './plan-list-writes.ts';
import { POSITION_STEP } from './positions.ts';
import { edge } from './read-list.ts';
import type { EntryRef } from './relation-change.ts';

/** The condition that a row of the list's table is one of these members. */
function isOneOf({ tx, list }: OwnedList, column: string, ids: readonly number[]): Sql {
  return tx.dialect.isOneOf(columnOf(tx.dialect, list.table, column), ids);
}

/** The condition that it is none of them. */
function isNoneOf(owned: OwnedList, entries: readonly EntryRef[]): Sql {
  const conditions = owned.list.members.map(({ type, column }) => {
    const ids = idsOf(type, entries);
    const id = columnOf(owned.tx.dialect, owned.list.table, column);
    return ids.length === 0 ? raw('1 = 1') : sql`(${id} IS NULL OR NOT ${isOneOf(owned, column, ids)})`;
  });
  return join(conditions, ' AND ');
}

/** A list of an owner whose INSERT is not answered yet: then `owner` is what statements call its id. */
type NewList = Omit<OwnedList, 'owner'> & { readonly owner: number | Sql };

/** The columns that say whose list a row is of, with their values. */
function listColumns<Owner>({ list, owner }: { readonly list: ListTable; readonly owner: Owner }) {
  return [[list.own, owner] as const, ...Object.entries(list.fixed ?? {})];
}

type Rows = readonly (EntryRef & Partial<PlacedEntry>)[];

const PLACED: Readonly<Record<string, JsonColumnType>> = { id: 'integer', position: 'integer' };

/** Rows for a statement: `id` and `position` of the entries of a type, and `more`. Undefined if there are no such entries. */
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
 * The same of members, with what `listColumns` says as `v0`, `v1`, …: joined by all its columns a member is looked up, whereas
 * given as a parameter the owner makes SQLite read its whole list.
 */
function memberRowsOf(owned: OwnedList, type: string, entries: Rows): Sql | undefined {
  const own = listColumns(owned).map(([, value], index) => [`v${index}`, value] as const);
  return rowsOf(owned.tx.dialect, type, entries, {
    values: Object.fromEntries(own),
    types: Object.fromEntries(own.map(([name, value]) => [name, typeof value === 'number' ? 'integer' : 'text'])),
  });
}

/** The condition that `t` is the member that `r` is about, in this list. */
function isMember(owned: OwnedList, column: string): Sql {
  const { dialect } = owned.tx;
  const own = listColumns(owned).map(([name], index) => sql`${columnOf(dialect, 't', name)} = ${raw(`r.v${index}`)}`);
  return join([...own, sql`${columnOf(dialect, 't', column)} = r.id`], ' AND ');
}

/** All that are not among `entries` leave. Reads the whole list. */
async function removeAllBut(owned: OwnedList, entries: readonly EntryRef[]): Promise<void> {
  const { tx, list } = owned;
  const { dialect } = tx;
  // Not every engine lets a DELETE call its table by another name.
  const table = dialect.id(list.table);
  const condition = sql`${ofList(owned, list.table)} AND ${isNoneOf(owned, entries)}`;
  await send(
    tx,
    list.kind === 'links'
      ? sql`DELETE FROM ${table} WHERE ${condition}`
      : sql`UPDATE ${table} SET ${dialect.id(list.own)} = NULL, ${dialect.id(list.position)} = NULL WHERE ${condition}`,
  );
}

async function removeThese(owned: OwnedList, entries: readonly EntryRef[]): Promise<void> {
  const { tx, list } = owned;
  const { dialect } = tx;
  for (const { type, column } of list.members) {
    const rows = memberRowsOf(owned, type, entries);
    if (!rows) continue;
    if (list.kind === 'links') {
      const condition = sql`${ofList(owned, list.table)} AND ${isOneOf(owned, column, idsOf(type, entries))}`;
      await send(tx, sql`DELETE FROM ${dialect.id(list.table)} WHERE ${condition}`);
    } else {
      const cleared = { [list.own]: raw('NULL'), [list.position]: raw('NULL') };
      await send(tx, dialect.updateFrom(list.table, rows, cleared, isMember(owned, column)));
    }
  }
}

async function move(owned: OwnedList, entries: readonly PlacedEntry[]): Promise<void> {
  const { tx, list } = owned;
  for (const { type, column } of list.members) {
    const rows = memberRowsOf(owned, type, entries);
    if (!rows) continue;
    const assign = { [list.position]: raw('r.position') };
    await send(tx, tx.dialect.updateFrom(list.table, rows, assign, isMember(owned, column)));
  }
}

/** Children are taken from whichever owner has them. */
async function insertChildren({ tx, list, owner }: NewList, entries: readonly PlacedEntry[]): Promise<void> {
  for (const { type, column } of list.members) {
    const rows = rowsOf(tx.dialect, type, entries);
    if (!rows) continue;
    const assign = { [list.own]: sql`${owner}`, [list.position]: raw('r.position') };
    await send(tx, tx.dialect.updateFrom(list.table, rows, assign, sql`${columnOf(tx.dialect, 't', column)} = r.id`));
  }
}

/** The place after the last of the owners that the member has on its side. Not by MAX: for it MySQL reads all of them. */
function endOfOtherSide({ tx, list }: NewList, column: string, otherPosition: string): Sql {
  const { dialect } = tx;
  const position = columnOf(dialect, 'o', otherPosition);
  const owners = sql`${dialect.id(list.table)} AS o WHERE ${columnOf(dialect, 'o', column)} = r.id`;
  const last = sql`SELECT ${position} FROM ${owners} ORDER BY ${position} DESC LIMIT 1`;
  return sql`COALESCE((${last}), 0) + ${raw(String(POSITION_STEP))}`;
}

/** `position` is that of the row `r`; `upsert`: links that are there get it too. */
async function insertLinks(
  owned: NewList,
  entries: readonly PlacedEntry[],
  { position, upsert }: { readonly position: Sql; readonly upsert: boolean },
): Promise<void> {
  const { tx, list } = owned;
  const { dialect } = tx;
  for (const { type, column } of list.members) {
    const rows = rowsOf(dialect, type, entries);
    if (!rows) continue;
    const values: [string, Sql][] = listColumns(owned).map(([name, value]) => [name, sql`${value}`]);
    values.push([column, raw('r.id')], [list.position, position]);
    if (list.otherPosition !== undefined) {
      values.push([list.otherPosition, endOfOtherSide(owned, column, list.otherPosition)]);
    }
    const names = values.map(([name]) => dialect.id(name));
    const selected = values.map(([, value]) => value);
    const insert = sql`INSERT INTO ${dialect.id(list.table)} (${join(names, ', ')}) SELECT ${join(selected, ', ')} FROM ${rows} AS r`;
    // Without a condition SQLite would take what follows for one of a join.
    const onConflict = sql` WHERE 1 = 1 ${dialect.onConflict({ key: [list.own, column], update: list.position })}`;
    await send(tx, upsert ? sql`${insert}${onConflict}` : insert);
  }
}

/** Puts entries at the end of a list, also those that are in it. */
async function appendLinks(owned: OwnedList, entries: readonly EntryRef[]): Promise<void> {
  const placed = entries.map((entry, index) => ({ ...entry, position: (index + 1) * POSITION_STEP }));
  const position = sql`${edge(owned, 'MAX', raw('0'))} + r.position`;
  await insertLinks(owned, placed, { position, upsert: true });
}

/** Entries that come into a list; `owner` may be an id that is not known yet. */
export function insertMembers(owned: NewList, entries: readonly PlacedEntry[]): Promise<void> {
  return owned.list.kind === 'links'
    ? insertLinks(owned, entries, { position: raw('r.position'), upsert: false })
    : insertChildren(owned, entries);
}

/** Writes what was planned: first what leaves, then what moves, then what comes. */
export async function writeList(owned: OwnedList, writes: ListWrites): Promise<void> {
  const { remove, move: moved, insert, append } = writes;
  if (append) return appendLinks(owned, append);
  await (remove.kind === 'allBut' ? removeAllBut(owned, remove.entries) : removeThese(owned, remove.entries));
  await move(owned, moved);
  await insertMembers(owned, insert);
}
