/** Writes the rows of a list. The number of statements does not depend on the number of entries. */
import type { JsonColumnType } from '../database/dialect.ts';
import { join, raw, sql, type Sql } from '../database/sql.ts';
import { columnOf, idRows, idsOf, ofList, type OwnedList } from './list-table.ts';
import type { ListWrites, PlacedEntry } from './plan-list-writes.ts';
import { POSITION_STEP } from './positions.ts';
import type { EntryRef } from './relation-change.ts';

/** The condition that the row called `t` is one of these members. */
function isOneOf({ tx }: OwnedList, column: string, ids: readonly number[]): Sql {
  return sql`${columnOf(tx.dialect, 't', column)} IN (SELECT r.id FROM ${idRows(tx.dialect, ids)} AS r)`;
}

/** The condition that it is none of them. */
function isNoneOf(owned: OwnedList, entries: readonly EntryRef[]): Sql {
  const conditions = owned.list.members.map(({ type, column }) => {
    const ids = idsOf(type, entries);
    const id = columnOf(owned.tx.dialect, 't', column);
    return ids.length === 0 ? raw('1 = 1') : sql`(${id} IS NULL OR NOT ${isOneOf(owned, column, ids)})`;
  });
  return join(conditions, ' AND ');
}

/**
 * The condition that the row called `t` is of the list, for statements that name its members. Those with an own row are
 * to be found by their id: the sum keeps the engine from reading the whole list by the index over its owner instead.
 */
function ofListByMember(owned: OwnedList): Sql {
  const { tx, list, owner } = owned;
  return list.kind === 'links' ? ofList(owned, 't') : sql`${columnOf(tx.dialect, 't', list.own)} + 0 = ${owner}`;
}

async function removeWhere({ tx, list }: OwnedList, condition: Sql): Promise<void> {
  const { dialect } = tx;
  const table = sql`${dialect.id(list.table)} AS t`;
  await tx.run(
    list.kind === 'links'
      ? sql`DELETE FROM ${table} WHERE ${condition}`
      : sql`UPDATE ${table} SET ${dialect.id(list.own)} = NULL, ${dialect.id(list.position)} = NULL WHERE ${condition}`,
  );
}

async function remove(owned: OwnedList, { kind, entries }: ListWrites['remove']): Promise<void> {
  if (kind === 'allBut') {
    await removeWhere(owned, sql`${ofList(owned, 't')} AND ${isNoneOf(owned, entries)}`);
    return;
  }
  for (const { type, column } of owned.list.members) {
    const ids = idsOf(type, entries);
    if (ids.length > 0) await removeWhere(owned, sql`${ofListByMember(owned)} AND ${isOneOf(owned, column, ids)}`);
  }
}

/** Rows of the columns `id` and `position`, and of what every row has. */
function placedRows(
  { tx }: OwnedList,
  type: string,
  entries: readonly PlacedEntry[],
  fixed: Readonly<Record<string, string | number>> = {},
): Sql | undefined {
  const rows = entries.flatMap((entry) =>
    entry.type === type ? [{ ...fixed, id: entry.id, position: entry.position }] : [],
  );
  const types: Record<string, JsonColumnType> = { id: 'integer', position: 'integer' };
  for (const [name, value] of Object.entries(fixed)) types[name] = typeof value === 'number' ? 'integer' : 'text';
  return rows.length === 0 ? undefined : tx.dialect.jsonRows(JSON.stringify(rows), types);
}

async function move(owned: OwnedList, entries: readonly PlacedEntry[]): Promise<void> {
  const { tx, list } = owned;
  for (const { type, column } of list.members) {
    const rows = placedRows(owned, type, entries);
    if (!rows) continue;
    const where = sql`${columnOf(tx.dialect, 't', column)} = r.id AND ${ofListByMember(owned)}`;
    await tx.run(tx.dialect.updateFrom(list.table, rows, { [list.position]: raw('r.position') }, where));
  }
}

/** Children are taken from whichever owner has them. */
async function insertChildren(owned: OwnedList, entries: readonly PlacedEntry[]): Promise<void> {
  const { tx, list, owner } = owned;
  for (const { type, column } of list.members) {
    const rows = placedRows(owned, type, entries);
    if (!rows) continue;
    const assign = { [list.own]: sql`${owner}`, [list.position]: raw('r.position') };
    await tx.run(tx.dialect.updateFrom(list.table, rows, assign, sql`${columnOf(tx.dialect, 't', column)} = r.id`));
  }
}

/** The place after the last of the owners that the member has on its side. */
function endOfOtherSide({ tx, list }: OwnedList, column: string, otherPosition: string): Sql {
  const { dialect } = tx;
  const last = sql`SELECT MAX(${columnOf(dialect, 'o', otherPosition)}) FROM ${dialect.id(list.table)} AS o`;
  return sql`COALESCE((${last} WHERE ${columnOf(dialect, 'o', column)} = r.id), 0) + ${raw(String(POSITION_STEP))}`;
}

async function insertLinks(owned: OwnedList, entries: readonly PlacedEntry[]): Promise<void> {
  const { tx, list, owner } = owned;
  const { dialect } = tx;
  const { own, position, otherPosition, fixed = {} } = list;
  // The owner comes with the rows, since a parameter in a list of selected values has no type on every engine.
  const further = Object.values(fixed);
  const extra = Object.fromEntries([owner, ...further].map((value, index) => [`v${index}`, value]));
  for (const { type, column } of list.members) {
    const rows = placedRows(owned, type, entries, extra);
    if (!rows) continue;
    const columns = [own, ...Object.keys(fixed), column, position];
    const values = [...Object.keys(extra), 'id', 'position'].map((name) => raw(`r.${name}`));
    if (otherPosition !== undefined) {
      columns.push(otherPosition);
      values.push(endOfOtherSide(owned, column, otherPosition));
    }
    const names = columns.map((name) => dialect.id(name));
    await tx.run(
      sql`INSERT INTO ${dialect.id(list.table)} (${join(names, ', ')}) SELECT ${join(values, ', ')} FROM ${rows} AS r`,
    );
  }
}

/** Writes what was planned: first what leaves, then what moves, then what comes. */
export async function writeList(owned: OwnedList, writes: ListWrites): Promise<void> {
  await remove(owned, writes.remove);
  await move(owned, writes.move);
  await (owned.list.kind === 'links' ? insertLinks(owned, writes.insert) : insertChildren(owned, writes.insert));
}
