/** Reads the parts of a stored list that a change needs. */
import type { Row } from '../../database/statement-runner.ts';
import { join, raw, sql, type Sql } from '../../database/sql.ts';
import { columnOf, idRows, idsOf, memberCondition, type OwnedList, type StoredOwnedList } from './list-table.ts';
import type { Neighbors, PositionedKey } from './place-runs.ts';
import type { StoredList } from './plan-list.ts';
import { type EntryRef, keyOf, type Target } from './relation-change.ts';
import type { StoredMember } from './sequence.ts';

/** Stands for "no position" in results, because `neverNull` treats NULL as the sign of an interrupted subselect. */
const NO_POSITION = -(2 ** 52);
const NONE = raw(String(NO_POSITION));

function optional(value: Row[string] | undefined): number | undefined {
  const position = value === null || value === undefined ? NO_POSITION : Number(value);
  return position === NO_POSITION ? undefined : position;
}

/** The position nearest to that of `m` on one side, found by the index on owner and position. */
function neighbor(owned: OwnedList, side: 'previous' | 'next'): Sql {
  const { dialect, list } = owned;
  const position = columnOf(dialect, 'n', list.position);
  const own = columnOf(dialect, 'm', list.position);
  const [nearest, beyond] = side === 'previous' ? [sql`MAX(${position})`, raw('<')] : [sql`MIN(${position})`, raw('>')];
  const from = sql`${dialect.id(list.table)} AS n WHERE ${memberCondition(owned, 'n')}`;
  return dialect.neverNull(sql`SELECT COALESCE(${nearest}, ${NONE}) FROM ${from} AND ${position} ${beyond} ${own}`);
}

/**
 * The position of the first or last member; `otherwise` for an empty list. Selects only one of them, because engines read a single
 * MIN or MAX from the end of an index, but not both at once.
 */
export function edgePosition(owned: OwnedList, which: 'MIN' | 'MAX', otherwise: Sql): Sql {
  const { dialect } = owned;
  const { table, position } = owned.list;
  const from = sql`${dialect.id(table)} AS e WHERE ${memberCondition(owned, 'e')}`;
  const found = sql`${raw(which)}(${columnOf(dialect, 'e', position)})`;
  return dialect.neverNull(sql`SELECT COALESCE(${found}, ${otherwise}) FROM ${from}`);
}

/**
 * Selects stored members `m` of the type at `index`: kind, id, position, and `extra` columns. `id` is the id to find, which may be
 * a column of the rows `joined` before them.
 */
function memberSelect(
  owned: OwnedList,
  index: number,
  { extra, joined = raw(''), id: given }: { readonly extra: Sql; readonly joined?: Sql; readonly id: Sql },
): Sql {
  const { dialect, list } = owned;
  const id = columnOf(dialect, 'm', list.members[index]?.column ?? '');
  const columns = sql`${raw(String(index))} AS kind, ${id} AS id, ${columnOf(dialect, 'm', list.position)} AS position`;
  const from = sql`${joined}${dialect.id(list.table)} AS m`;
  return sql`SELECT ${columns}${extra} FROM ${from} WHERE ${memberCondition(owned, 'm')} AND ${id} = ${given}`;
}

/** Selects the stored members among `entries`, with `extra` columns: one select per type of member. */
function memberSelects(owned: OwnedList, entries: readonly EntryRef[], extra: Sql): Sql[] {
  const { dialect, list } = owned;
  return list.members.flatMap(({ type }, index) => {
    const ids = idsOf(type, entries);
    if (ids.length === 0) return [];
    // A cross join, so that SQLite looks up the rows of the request in the table and not the other way round.
    const joined = sql`${idRows(dialect, new Set(ids))} AS r CROSS JOIN `;
    return [memberSelect(owned, index, { extra, joined, id: raw('r.id') })];
  });
}

function keyOfRow({ list }: OwnedList, row: Row): string {
  const member = list.members[Number(row['kind'])];
  return keyOf({ type: member?.type ?? '', id: Number(row['id']) });
}

/** The entries that are in the list: key → position. */
export async function readMembers(
  owned: StoredOwnedList,
  entries: readonly EntryRef[],
): Promise<ReadonlyMap<string, number>> {
  const selects = memberSelects(owned, entries, raw(''));
  const rows = selects.length === 0 ? [] : await owned.tx.all(join(selects, ' UNION ALL '));
  return new Map(rows.map((row) => [keyOfRow(owned, row), Number(row['position'])]));
}

/** Selects the stored members among `entries` with the positions of their neighbors, in one pass over the list. */
function windowSelects(owned: OwnedList, entries: readonly EntryRef[]): Sql[] {
  const { dialect, list } = owned;
  const position = columnOf(dialect, 'n', list.position);
  const beside = (name: 'LAG' | 'LEAD'): Sql => sql`${raw(name)}(${position}) OVER (ORDER BY ${position})`;
  return list.members.flatMap(({ type, column }, index) => {
    const ids = idsOf(type, entries);
    if (ids.length === 0) return [];
    const columns = sql`${columnOf(dialect, 'n', column)} AS id, ${position} AS place, ${beside('LAG')} AS previous, ${beside('LEAD')} AS next`;
    const all = sql`SELECT ${columns} FROM ${dialect.id(list.table)} AS n WHERE ${memberCondition(owned, 'n')}`;
    const from = sql`${idRows(dialect, new Set(ids))} AS r JOIN (${all}) AS m ON m.id = r.id`;
    return [sql`SELECT ${raw(String(index))} AS kind, m.id, m.place AS position, m.previous, m.next FROM ${from}`];
  });
}

/** Up to this many members, looking up each one is faster than a pass over the list. */
const MAX_ONE_BY_ONE = 100;

/** Selects the stored members among `entries` with the positions of their neighbors, in the way that is fastest on the engine. */
function neighborSelects(owned: OwnedList, entries: readonly EntryRef[]): Sql[] {
  const neighbors = sql`, ${neighbor(owned, 'previous')} AS previous, ${neighbor(owned, 'next')} AS next`;
  if (owned.dialect.indexedCorrelatedMinMax) return memberSelects(owned, entries, neighbors);
  if (entries.length > MAX_ONE_BY_ONE) return windowSelects(owned, entries);
  return owned.list.members.flatMap(({ type }, index) =>
    Array.from(new Set(idsOf(type, entries)), (id) => memberSelect(owned, index, { extra: neighbors, id: sql`${id}` })),
  );
}

/** Selects the positions of the first and last member, as `previous` and `next` of a pseudo-member of kind -1. */
function endsSelect(owned: OwnedList): Sql {
  return sql`SELECT -1 AS kind, 0 AS id, 0 AS position, ${edgePosition(owned, 'MIN', NONE)} AS previous, ${edgePosition(owned, 'MAX', NONE)} AS next`;
}

/** Reads all members of a list, in order. */
export async function readWholeList(owned: StoredOwnedList): Promise<Target[]> {
  const { tx, list } = owned;
  const { dialect } = tx;
  const selects = list.members.map(({ column }, index) => {
    const id = columnOf(dialect, 'm', column);
    const columns = sql`${raw(String(index))} AS kind, ${id} AS id, ${columnOf(dialect, 'm', list.position)} AS position`;
    return sql`SELECT ${columns} FROM ${dialect.id(list.table)} AS m WHERE ${memberCondition(owned, 'm')} AND ${id} IS NOT NULL`;
  });
  const rows = await tx.all(sql`${join(selects, ' UNION ALL ')} ORDER BY position, id`);
  return rows.map((row) => ({ type: list.members[Number(row['kind'])]?.type ?? '', id: Number(row['id']), path: [] }));
}

/** Reads the part of the list that a change naming `entries` needs; `withEnds`: with the positions of its ends. One statement. */
export async function readList(
  owned: StoredOwnedList,
  entries: readonly EntryRef[],
  withEnds: boolean,
): Promise<StoredList> {
  const selects = [...(withEnds ? [endsSelect(owned)] : []), ...neighborSelects(owned, entries)];
  const rows = selects.length === 0 ? [] : await owned.tx.all(join(selects, ' UNION ALL '));
  const members: StoredMember[] = [];
  let ends: Pick<StoredList, 'first' | 'last'> = { first: undefined, last: undefined };
  for (const row of rows) {
    const previous = optional(row['previous']);
    const next = optional(row['next']);
    if (Number(row['kind']) === -1) ends = { first: previous, last: next };
    else members.push({ key: keyOfRow(owned, row), position: Number(row['position']), previous, next });
  }
  members.sort((a, b) => a.position - b.position);
  return { members, ...ends };
}

/** Selects the members on one side of a position, nearest first. */
function sideSelect(owned: OwnedList, side: 'left' | 'right', from: number, limit: number): Sql {
  const { dialect, list } = owned;
  const position = columnOf(dialect, 'm', list.position);
  const [within, order] = side === 'left' ? [raw('<='), raw('DESC')] : [raw('>='), raw('ASC')];
  const ids = list.members.map(({ column }) => columnOf(dialect, 'm', column));
  const kinds = ids.map((id, index) => sql`WHEN ${id} IS NOT NULL THEN ${raw(String(index))}`);
  const columns = sql`${raw(side === 'left' ? '0' : '1')} AS side, CASE ${join(kinds, ' ')} END AS kind, ${
    ids.length === 1 ? join(ids, '') : sql`COALESCE(${join(ids, ', ')})`
  } AS id, ${position} AS position`;
  const rows = sql`${dialect.id(list.table)} AS m WHERE ${memberCondition(owned, 'm')} AND ${position} ${within} ${from}`;
  return sql`SELECT * FROM (SELECT ${columns} FROM ${rows} ORDER BY ${position} ${order} LIMIT ${raw(String(limit))}) AS ${raw(side === 'left' ? 'l' : 'r')}`;
}

/** Reads the members around a place, at most `limit` on each side. One statement. */
export async function readNeighbors(
  owned: StoredOwnedList,
  after: number,
  before: number,
  limit: number,
): Promise<Neighbors> {
  const selects = [sideSelect(owned, 'left', after, limit), sideSelect(owned, 'right', before, limit)];
  const rows = await owned.tx.all(join(selects, ' UNION ALL '));
  const sides: [PositionedKey[], PositionedKey[]] = [[], []];
  for (const row of rows) {
    sides[Number(row['side']) === 0 ? 0 : 1].push({ key: keyOfRow(owned, row), position: Number(row['position']) });
  }
  for (const side of sides) side.sort((a, b) => a.position - b.position);
  return { left: sides[0], right: sides[1] };
}
