/** Writes the lists of many new owners together: one statement for all links of a table, instead of one for each owner. */
import type { Dialect, GivenRow, JsonColumnType } from '../../database/dialect.ts';
import { join, raw, sql, type Sql } from '../../database/sql.ts';
import { statement, type Statement } from '../../database/write-plan.ts';
import { POSITION_STEP } from '../../contract/position-step.ts';
import { columnOf, type ListMember, type ListTable } from './list-table.ts';
import { incrementVersionsOfFirstMembers } from './list-versions.ts';
import type { ListWrites, PlacedEntry } from './plan-list-writes.ts';

/** The list of an owner that is new, so that the list is empty. */
export interface FirstList {
  readonly list: ListTable;
  readonly owner: number;
  readonly entries: readonly PlacedEntry[];
}

/** Links that one statement inserts. */
const LINKS_AT_ONCE = 5000;

const COLUMNS: Readonly<Record<string, JsonColumnType>> = {
  owner: 'integer',
  id: 'integer',
  position: 'integer',
  after: 'integer',
};

/** The entries of a list that can be written together with those of other owners: new rows in a table of links. */
export function firstEntries(list: ListTable, writes: ListWrites | undefined): readonly PlacedEntry[] | undefined {
  if (list.kind !== 'links' || !writes || writes.append) return undefined;
  const { remove, move, insert } = writes;
  return remove.kind === 'these' && remove.entries.length === 0 && move.length === 0 ? insert : undefined;
}

/** The links to members of a type; `after`: their distance from the last position in the member's own list. */
function rowsOf(lists: readonly FirstList[], type: string): readonly GivenRow[] {
  const links = new Map<number, number>();
  const rows: GivenRow[] = [];
  for (const { owner, entries } of lists) {
    for (const { type: of, id, position } of entries) {
      if (of !== type) continue;
      const place = (links.get(id) ?? 0) + 1;
      links.set(id, place);
      rows.push({ owner, id, position, after: place * POSITION_STEP });
    }
  }
  return rows;
}

/** The position after the last owner in a member's own list. */
function endOfOtherSide(dialect: Dialect, list: ListTable, { column }: ListMember, otherPosition: string): Sql {
  const position = columnOf(dialect, 'o', otherPosition);
  const owners = sql`${dialect.id(list.table)} AS o WHERE ${columnOf(dialect, 'o', column)} = r.id`;
  return sql`${dialect.firstOrZero(position, owners, sql`${position} DESC`)} + r.after`;
}

function insertRows(dialect: Dialect, list: ListTable, member: ListMember, rows: readonly GivenRow[]): Statement {
  const { own, fixed = {}, position, otherPosition } = list;
  const values: [string, Sql][] = [
    [own, raw('r.owner')],
    ...Object.entries(fixed).map(([name, value]): [string, Sql] => [name, sql`${value}`]),
    [member.column, raw('r.id')],
    [position, raw('r.position')],
  ];
  if (otherPosition !== undefined) values.push([otherPosition, endOfOtherSide(dialect, list, member, otherPosition)]);
  const names = values.map(([name]) => dialect.id(name));
  const selected = values.map(([, value]) => value);
  const from = dialect.givenRows(rows, COLUMNS);
  return statement(
    sql`INSERT INTO ${dialect.id(list.table)} (${join(names, ', ')}) SELECT ${join(selected, ', ')} FROM ${from} AS r`,
  );
}

function parts(rows: readonly GivenRow[]): (readonly GivenRow[])[] {
  const starts = Array.from({ length: Math.ceil(rows.length / LINKS_AT_ONCE) }, (_, index) => index * LINKS_AT_ONCE);
  return starts.map((start) => rows.slice(start, start + LINKS_AT_ONCE));
}

function writeTable(dialect: Dialect, lists: readonly FirstList[]): readonly Statement[] {
  const list = lists[0]?.list;
  if (!list) return [];
  const entries = lists.flatMap((one) => one.entries);
  const inserts = list.members.flatMap((member) =>
    parts(rowsOf(lists, member.type)).map((rows) => insertRows(dialect, list, member, rows)),
  );
  return [...incrementVersionsOfFirstMembers(dialect, list, entries), ...inserts];
}

/** The statements that write these lists. */
export function writeFirstLists(dialect: Dialect, all: readonly FirstList[]): readonly Statement[] {
  const byTable = new Map<string, FirstList[]>();
  for (const one of all) {
    const { table, own, fixed } = one.list;
    const key = JSON.stringify([table, own, fixed]);
    const lists = byTable.get(key);
    if (lists) lists.push(one);
    else byTable.set(key, [one]);
  }
  return [...byTable.values()].flatMap((lists) => writeTable(dialect, lists));
}
