/** What entries contained at a time. */
import type { Client } from '../../base/client.ts';
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import { HISTORY_TABLE } from '../../contract/history/history-table.ts';
import { isPublished } from '../../contract/states.ts';
import type { Executor } from '../../database/executor.ts';
import { join, raw, sql, type Sql } from '../../database/sql.ts';
import type { ReadOptions, Row } from '../../database/statement-runner.ts';
import { idRows } from '../../content/relations/list-table.ts';
import type { Content } from '../../query/content-text.ts';
import { versionOf } from './content.ts';
import { hasStates, STATES } from './recorded-types.ts';

const table = raw(HISTORY_TABLE);
const AT_ONCE = 200;

function stateOf(types: ContentTypes, type: ContentType): Sql {
  return raw(String(isPublished(type) && hasStates(types, type) ? STATES.published : STATES.entry));
}

function contentOf(types: ContentTypes, type: ContentType, row: Row): Content {
  const renames = (types.renames ?? []).slice(Number(row['renames']));
  return versionOf(types, types.types[type.uid] ?? type, String(row['content']), renames).content;
}

/** A SELECT of the id of the last version of an entry. It is looked up in the index, whatever the engine takes the table for. */
function lastVersion(types: ContentTypes, type: ContentType, entry: Sql, time: number): Sql {
  return sql`SELECT m.id FROM ${table} AS m WHERE m.subject = ${type.uid} AND m.state = ${stateOf(types, type)} AND m.entry_id = ${entry} AND m.since <= ${time} ORDER BY m.subject DESC, m.state DESC, m.entry_id DESC, m.id DESC LIMIT 1`;
}

/** Entries as they were at a time. */
interface Former {
  readonly ids: readonly number[];
  readonly time: number;
  /** Takes note of how large the contents are, in bytes, before they are read; may throw. */
  readonly spend?: (size: number) => void;
}

/** The contents of those of the entries that were there, by their ids. The type says in which state. */
export async function contentsAt(
  executor: Executor,
  types: ContentTypes,
  type: ContentType,
  { ids, time, spend }: Former,
): Promise<ReadonlyMap<number, Content>> {
  const found = new Map<number, Content>();
  const { dialect } = executor;
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const some = idRows(dialect, ids.slice(start, start + AT_ONCE));
    const last = lastVersion(types, type, raw('i.id'), time);
    const versions = await executor.all(sql`SELECT (${last}) AS version FROM ${some} AS i`);
    const numbers = versions.flatMap(({ version }) => (version === null ? [] : [Number(version)]));
    if (numbers.length === 0) continue;
    const isKnown = sql`${dialect.isOneOf(raw('h.id'), numbers)} AND h.content IS NOT NULL`;
    if (spend) {
      const sizes = await executor.get(
        sql`SELECT SUM(OCTET_LENGTH(h.content)) AS size FROM ${table} AS h WHERE ${isKnown}`,
      );
      spend(Number(sizes?.['size']));
    }
    const rows = await executor.all(sql`SELECT h.entry_id, h.renames, h.content FROM ${table} AS h WHERE ${isKnown}`);
    for (const row of rows) found.set(Number(row['entry_id']), contentOf(types, type, row));
  }
  return found;
}

/** Which entries of a type were there. */
export interface Listed {
  readonly time: number;
  /** Undefined: in all locales. */
  readonly locale: string | undefined;
  /** A SELECT of the ids that the caller may find now; undefined if these are all. */
  readonly among: Sql | undefined;
  /** Undefined: whatever their ids are. */
  readonly named?: readonly number[] | undefined;
  /** Undefined: from the first one on; else those whose ids are greater. */
  readonly after?: number | undefined;
  readonly client: Client | undefined;
}

/** In microseconds: whether a version was the last one of its entry. */
const EXAMINED = 3;

function options({ client }: Listed): ReadOptions {
  return { client, scans: [{ table: HISTORY_TABLE, weight: EXAMINED }] };
}

/** The versions `h` that were the last ones of their entries. */
function lastVersions({ dialect }: Executor, types: ContentTypes, type: ContentType, listed: Listed): Sql {
  const { time, locale, among, named, after = 0 } = listed;
  const last = lastVersion(types, type, raw('h.entry_id'), time);
  const inLocale = locale === undefined ? raw('') : sql` AND h.entry_locale = ${locale}`;
  const isFound = among ? sql` AND h.entry_id IN (${among})` : raw('');
  const isNamed = named ? sql` AND ${dialect.isOneOf(raw('h.entry_id'), named)}` : raw('');
  return sql`FROM ${table} AS h WHERE h.subject = ${type.uid} AND h.state = ${stateOf(types, type)} AND h.entry_id > ${after} AND h.since <= ${time} AND h.content IS NOT NULL${inLocale}${isFound}${isNamed} AND h.id = (${last})`;
}

/** A part of the entries that were there, in the order of their ids. */
export async function listAt(
  executor: Executor,
  types: ContentTypes,
  type: ContentType,
  { start, limit, ...listed }: Listed & { readonly start: number; readonly limit: number },
): Promise<readonly Content[]> {
  const part = raw(`LIMIT ${limit} OFFSET ${start}`);
  const rows = await executor.all(
    sql`SELECT h.renames, h.content ${lastVersions(executor, types, type, listed)} ORDER BY h.subject, h.state, h.entry_id, h.id ${part}`,
    options(listed),
  );
  return rows.map((row) => contentOf(types, type, row));
}

/** The ids of the first `most` entries that were there, in their order. */
export async function idsAt(
  executor: Executor,
  types: ContentTypes,
  type: ContentType,
  { most, ...listed }: Listed & { readonly most: number },
): Promise<readonly number[]> {
  const rows = await executor.all(
    sql`SELECT h.entry_id AS id ${lastVersions(executor, types, type, listed)} ORDER BY h.subject, h.state, h.entry_id, h.id LIMIT ${raw(String(most))}`,
    options(listed),
  );
  return rows.map((row) => Number(row['id']));
}

/** How many there were, up to a limit. */
export async function countAt(
  executor: Executor,
  types: ContentTypes,
  type: ContentType,
  { most, ...listed }: Listed & { readonly most: number | undefined },
): Promise<number> {
  const limit = raw(most === undefined ? '' : ` LIMIT ${most}`);
  const row = await executor.get(
    sql`SELECT COUNT(*) AS total FROM (SELECT h.id ${lastVersions(executor, types, type, listed)}${limit}) AS c`,
    options(listed),
  );
  return Number(row?.['total']);
}

/** A row of a localized entry. */
export interface LocaleRow {
  readonly id: number;
  readonly locale: string;
}

/** All rows that the entries of these rows have ever had, by each of the ids, in the order of their ids. */
export async function rowsEver(
  executor: Executor,
  { uid }: ContentType,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly LocaleRow[]>> {
  const found = new Map<number, readonly LocaleRow[]>();
  const { dialect } = executor;
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const some = idRows(dialect, ids.slice(start, start + AT_ONCE));
    const own = sql`SELECT m.document_id FROM ${table} AS m WHERE m.subject = ${uid} AND m.state = ${raw(String(STATES.entry))} AND m.entry_id = i.id AND m.document_id IS NOT NULL ORDER BY m.id DESC LIMIT 1`;
    const entries = await executor.all(sql`SELECT i.id, (${own}) AS document FROM ${some} AS i`);
    const documents = [...new Set(entries.flatMap(({ document }) => (document === null ? [] : String(document))))];
    if (documents.length === 0) continue;
    const named = documents.map((document) => sql`${document}`);
    const rows = await executor.all(
      sql`SELECT h.document_id AS document, h.entry_id AS id, MAX(h.entry_locale) AS locale FROM ${table} AS h WHERE h.document_id IN (${join(named, ', ')}) AND h.subject = ${uid} GROUP BY h.document_id, h.entry_id ORDER BY h.entry_id`,
    );
    for (const { id, document } of entries) {
      const rowsOf = rows.filter((row) => row['document'] === document);
      found.set(
        Number(id),
        rowsOf.map((row) => ({ id: Number(row['id']), locale: String(row['locale']) })),
      );
    }
  }
  return found;
}
