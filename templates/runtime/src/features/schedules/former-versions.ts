/** What was published before a release, and how it becomes current again. */
import { COLUMN_NAMES } from '../../contract/column-names.ts';
import type { Cell } from '../../contract/content-transfer.ts';
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import { publishedState } from '../../content/publication/state-copy.ts';
import { passOnClaims } from '../../content/publication/publish.ts';
import { releaseAllClaims } from '../../content/localization/claims.ts';
import { repeatedAttributes, sharedAttributes } from '../../content/localization/shared-attributes.ts';
import { type CapturedTable, readCells } from '../../content/stored-rows/captured-rows.ts';
import { incrementVersionsOfReferrers } from '../../content/relations/referrer-versions.ts';
import { planRestoration } from '../../content/stored-rows/restore-rows.ts';
import { isUniqueKey } from '../../content/stored-rows/unique-keys.ts';
import type { Executor } from '../../database/executor.ts';
import { deleteRows, raw, sql } from '../../database/sql.ts';
import { statement, type Statement, type Step, type TouchedRows, type Transaction } from '../../database/write-plan.ts';
import { rowsWhere, touching, VERSION_COLUMN, versionIncrement } from '../../write/version.ts';
import { type FormerLink, isOfPlace, linksOf } from './former-links.ts';
import { type Members, membersOf } from './lost-storage.ts';
import { scheduledType } from './publish-row.ts';
import { placesOf, rowsAt, tablesOf, type Written } from './published-places.ts';
import type { ReleaseItem } from './release-rows.ts';

/** A row of a table, and its version. */
type RowVersion = readonly [id: number, version: number];

/** The entries of a type as they were published. */
export interface FormerEntries {
  readonly type: string;
  readonly ids: readonly number[];
  /** Other locales of these entries, which share attributes with them: their ids, and those of the entries. */
  readonly locales: readonly (readonly [id: number, of: number])[];
  readonly tables: readonly CapturedTable[];
  /** What their components consisted of. */
  readonly members: Members;
  /** The versions that the release has published: none of what it has taken back. */
  readonly published?: readonly RowVersion[];
  /** What it has connected to them. */
  readonly links?: readonly FormerLink[];
}

export type Former = readonly FormerEntries[];

/** The ids of all rows that the release has written. */
export function writtenIds({ ids, locales }: Pick<FormerEntries, 'ids' | 'locales'>): readonly number[] {
  return [...ids, ...locales.map(([id]) => id)];
}

function itemsByType(items: readonly ReleaseItem[]): ReadonlyMap<string, readonly ReleaseItem[]> {
  const found = new Map<string, ReleaseItem[]>();
  for (const item of items) found.set(item.type, [...(found.get(item.type) ?? []), item]);
  return found;
}

async function otherLocales(
  executor: Executor,
  type: ContentType,
  ids: readonly number[],
): Promise<FormerEntries['locales']> {
  if (sharedAttributes(type).length === 0) return [];
  const { id, isOneOf } = executor.dialect;
  const table = id(type.table);
  const rows = await executor.all(
    sql`SELECT o.id, MIN(t.id) AS entry FROM ${table} AS t JOIN ${table} AS o ON o.document_id = t.document_id WHERE ${isOneOf(raw('t.id'), ids)} AND NOT (${isOneOf(raw('o.id'), ids)}) GROUP BY o.id ORDER BY o.id`,
  );
  return rows.map((row) => [Number(row['id']), Number(row['entry'])] as const);
}

async function capture(
  executor: Executor,
  types: ContentTypes,
  type: ContentType,
  written: Written,
): Promise<readonly CapturedTable[]> {
  const captured: CapturedTable[] = [];
  for (const place of placesOf(types, type)) {
    const { table, fills, columns, gained } = place;
    const more = gained.map((condition) => condition(executor.dialect, written));
    const where = rowsAt(executor.dialect, place, type, { ids: written.ids, more });
    const rows = await readCells(executor, table.name, columns, where);
    if (rows.length > 0) captured.push({ table: table.name, fills, columns: columns.map(({ name }) => name), rows });
  }
  return captured;
}

/** Before the items are published. */
export async function captureFormer(
  executor: Executor,
  types: ContentTypes,
  items: readonly ReleaseItem[],
): Promise<Former> {
  const former: FormerEntries[] = [];
  for (const [uid, own] of itemsByType(items)) {
    const type = scheduledType(types, uid);
    const ids = own.map(({ id }) => id);
    const locales = await otherLocales(executor, type, ids);
    const taken = new Set(own.flatMap(({ id, action }) => (action === 'unpublish' ? [id] : [])));
    const all = writtenIds({ ids, locales });
    const tables = await capture(executor, types, type, { ids: all, copied: all.filter((id) => !taken.has(id)) });
    former.push({ type: uid, ids, locales, tables, members: membersOf(types, type) });
  }
  return former;
}

export async function publishedVersions(
  executor: Executor,
  types: ContentTypes,
  entries: FormerEntries,
): Promise<readonly RowVersion[]> {
  const { dialect } = executor;
  const { published } = scheduledType(types, entries.type);
  if (!published) return [];
  const version = dialect.id(VERSION_COLUMN);
  const rows = await executor.all(
    sql`SELECT id, ${version} AS version FROM ${dialect.id(published.table)} WHERE ${dialect.isOneOf(raw('id'), writtenIds(entries))} ORDER BY id`,
  );
  return rows.map((row) => [Number(row['id']), Number(row['version'])] as const);
}

/** What is connected to the entries now. */
export function linksNow(
  executor: Executor,
  types: ContentTypes,
  entries: FormerEntries,
): Promise<readonly FormerLink[]> {
  const ids = writtenIds(entries);
  return linksOf(executor, types, scheduledType(types, entries.type), { ids, tables: entries.tables });
}

/** Whether the release has changed what other locales share with the entries. */
function changesLocales(
  type: ContentType,
  { locales, tables }: FormerEntries,
  published: ReadonlyMap<number, number>,
): boolean {
  // Lists of other entries don't show in the versions of the rows.
  if (sharedAttributes(type).length > repeatedAttributes(type).length) return true;
  const own = tables.find(({ table, fills }) => table === type.published?.table && !fills);
  const [idAt = 0, versionAt = 0] = ['id', VERSION_COLUMN].map((name) => own?.columns.indexOf(name));
  const before = new Map(own?.rows.map((row) => [Number(row[idAt]), Number(row[versionAt])]));
  const shown = locales.filter(([id]) => before.has(id));
  return shown.length === 0 || shown.some(([id]) => before.get(id) !== published.get(id));
}

/** Without the other locales, which others may go on to publish without being in the way of a revert. */
function withoutLocales(types: ContentTypes, type: ContentType, entries: FormerEntries): FormerEntries {
  const others = new Set(entries.locales.map(([id]) => id));
  const own = new Set(entries.ids);
  const tables = entries.tables.map((captured) => {
    const place = placesOf(types, type).find((one) => isOfPlace(one, captured));
    const at = place?.keys.map((key) => captured.columns.indexOf(key)) ?? [];
    const isIn = (ids: ReadonlySet<number>, row: readonly Cell[]) => at.some((index) => ids.has(Number(row[index])));
    return { ...captured, rows: captured.rows.filter((row) => isIn(own, row) || !isIn(others, row)) };
  });
  return { ...entries, locales: [], tables };
}

/** After the items are published. */
export async function withVersions(executor: Executor, types: ContentTypes, former: Former): Promise<Former> {
  const all: FormerEntries[] = [];
  for (const captured of former) {
    const type = scheduledType(types, captured.type);
    const versions = new Map(await publishedVersions(executor, types, captured));
    const isChanged = changesLocales(type, captured, versions);
    const entries = isChanged ? captured : withoutLocales(types, type, captured);
    const ids = new Set(writtenIds(entries));
    const published = [...versions].filter(([id]) => ids.has(id));
    all.push({ ...entries, published, links: await linksNow(executor, types, entries) });
  }
  return all;
}

/** The statements that remove what is published of the entries, from whichever side it is stored. */
function removal(tx: Executor, types: ContentTypes, type: ContentType, ids: readonly number[]): readonly Statement[] {
  const { dialect } = tx;
  return placesOf(types, type).flatMap((place) => {
    const { table, fills, columns, keys } = place;
    const [, key] = columns;
    // What has given up a connection to something else only gets it back.
    if (keys.length === 0) return [];
    const where = rowsAt(dialect, { ...place, gained: [] }, type, { ids, more: [] });
    if (!fills || !key) return [statement(deleteRows(dialect.id(table.name), where))];
    const change = sql`${dialect.id(key.name)} = NULL, ${versionIncrement(dialect)}`;
    return [
      touching(sql`UPDATE ${dialect.id(table.name)} SET ${change} WHERE ${where}`, {
        table: table.name,
        ids: rowsWhere(dialect, table.name, where),
      }),
    ];
  });
}

/** The documents of localized entries: their published rows claim the unique values that their locales share. */
async function documentsOf(tx: Executor, { table }: ContentType, ids: readonly number[]): Promise<readonly string[]> {
  const { id, isOneOf } = tx.dialect;
  const rows = await tx.all(
    sql`SELECT DISTINCT document_id FROM ${id(table)} WHERE ${isOneOf(raw('id'), ids)} ORDER BY document_id`,
  );
  return rows.map((row) => String(row[COLUMN_NAMES.documentId]));
}

async function localizedSteps(
  tx: Executor,
  types: ContentTypes,
  type: ContentType,
  ids: readonly number[],
): Promise<readonly Step[]> {
  if (!type.localized) return [];
  const state = publishedState({ types, type });
  const documents = await documentsOf(tx, type, ids);
  return [
    ...documents.flatMap((document) => releaseAllClaims(tx.dialect, state.type, document)),
    ...documents.flatMap((document) => passOnClaims(tx.dialect, { types, type }, document)),
  ];
}

/** The entries to which others refer again: their lists change, too. */
function regained(types: ContentTypes, type: ContentType, tables: readonly CapturedTable[]): readonly TouchedRows[] {
  return tables.flatMap((captured): readonly TouchedRows[] => {
    const key = placesOf(types, type).find((place) => place.fills && isOfPlace(place, captured))?.columns[1];
    const target = Object.values(types.types).find(({ table }) => table === key?.references);
    const ids = captured.rows.flatMap(([, to]) => (typeof to === 'number' ? [to] : []));
    return target && ids.length > 0 ? [{ table: target.published?.table ?? target.table, ids }] : [];
  });
}

/** The steps that put the former versions in the place of what was removed. */
async function restorationSteps(
  tx: Transaction,
  types: ContentTypes,
  entries: FormerEntries,
): Promise<readonly Step[]> {
  const type = scheduledType(types, entries.type);
  const { table, published } = type;
  const { id, isOneOf } = tx.dialect;
  if (!published) return [];
  const ids = writtenIds(entries);
  const restored = await planRestoration(tx, tablesOf(types), entries.tables, {
    table,
    ids,
    isUnique: isUniqueKey(types),
  });
  const time = sql`(SELECT p.published_at FROM ${id(published.table)} AS p WHERE p.id = ${id(table)}.id)`;
  const drafts = sql`UPDATE ${id(table)} SET published_at = ${time}, ${versionIncrement(tx.dialect)} WHERE ${isOneOf(raw('id'), entries.ids)}`;
  return [
    ...restored.steps,
    ...(await localizedSteps(tx, types, type, ids)),
    touching(drafts, [{ table, ids: entries.ids }, ...regained(types, type, entries.tables)]),
  ];
}

/** The steps that make the former versions current again. */
export function revertSteps(types: ContentTypes, entries: FormerEntries): readonly Step[] {
  const type = scheduledType(types, entries.type);
  const ids = writtenIds(entries);
  const referrers: Step = async ({ dialect }) =>
    ids.flatMap((id) => incrementVersionsOfReferrers(dialect, types, type, id));
  return [
    referrers,
    async (tx) => removal(tx, types, type, ids),
    (tx) => restorationSteps(tx, types, entries),
    referrers,
  ];
}
