/** What is connected to the entries of a release once it is published: nobody may have changed that when it is reverted. */
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import type { Cell } from '../../contract/content-transfer.ts';
import { type CapturedTable, readCells } from '../../content/stored-rows/captured-rows.ts';
import type { Executor } from '../../database/executor.ts';
import { isOwnRow, placesOf, type PublishedPlace, rowsAt } from './published-places.ts';

/** A connection, and the id of the entry that it leads to. */
export type FormerLink = readonly [link: string, to: Cell];

interface Entries {
  readonly ids: readonly number[];
  readonly tables: readonly CapturedTable[];
}

/** Whether captured rows are those of a place. */
export function isOfPlace({ table, fills, columns }: PublishedPlace, captured: CapturedTable): boolean {
  if (captured.table !== table.name || captured.fills !== fills) return false;
  return !fills || captured.columns[1] === columns[1]?.name;
}

/** Who referred to the entries before, or gave up another connection for one to them. */
function anchorsOf(place: PublishedPlace, tables: readonly CapturedTable[]): readonly number[] {
  const rows = tables.find((one) => isOfPlace(place, one));
  const at = rows && place.anchor !== undefined ? rows.columns.indexOf(place.anchor) : -1;
  return at < 0 ? [] : [...new Set(rows?.rows.map((row) => Number(row[at])))];
}

async function linksAt(
  executor: Executor,
  type: ContentType,
  place: PublishedPlace,
  { ids, tables }: Entries,
): Promise<readonly FormerLink[]> {
  const { dialect } = executor;
  const { table, fills, columns, anchor } = place;
  const anchors = anchorsOf(place, tables);
  const more = anchor === undefined || anchors.length === 0 ? [] : [dialect.isOneOf(dialect.id(anchor), anchors)];
  const where = rowsAt(dialect, place, type, { ids, more });
  if (fills) {
    const rows = await readCells(executor, table.name, columns.slice(0, 2), where);
    return rows.map(([id, to]): FormerLink => [`${table.name} ${String(columns[1]?.name)} ${String(id)}`, to ?? null]);
  }
  const ends = columns.filter(({ references }) => references !== undefined);
  const rows = await readCells(executor, table.name, ends, where);
  const isEntry = (cell: Cell, index: number): boolean =>
    place.keys.includes(String(ends[index]?.name)) && ids.includes(Number(cell));
  return rows.map((row): FormerLink => [`${table.name} ${row.join(' ')}`, row.find(isEntry) ?? null]);
}

/** The connections of entries, from whichever side they are stored. */
export async function linksOf(
  executor: Executor,
  types: ContentTypes,
  type: ContentType,
  entries: Entries,
): Promise<readonly FormerLink[]> {
  const links: FormerLink[] = [];
  for (const place of placesOf(types, type)) {
    if (!isOwnRow(place)) links.push(...(await linksAt(executor, type, place, entries)));
  }
  return links;
}

/** Those that are new, or lead elsewhere. What was deleted is no change: it can't come back. */
export function changedLinks(then: readonly FormerLink[], now: readonly FormerLink[]): readonly FormerLink[] {
  const known = new Map(then);
  return now.filter(([link, to]) => known.get(link) !== to);
}
