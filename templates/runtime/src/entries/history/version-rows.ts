/** The rows of versions: read in the order of their writes, the last one first. */
import { HISTORY_TABLE } from '../../contract/history/history-table.ts';
import type { Executor } from '../../database/executor.ts';
import { raw, sql, type Sql } from '../../database/sql.ts';
import type { Row } from '../../database/statement-runner.ts';
import { BEGIN } from './complete-since.ts';
import { type State, STATES } from './recorded-types.ts';

const table = raw(HISTORY_TABLE);

/** What is known of a version, apart from its content. */
export interface VersionRow {
  /** The number of the version, unique in the server and greater than those of earlier ones. */
  readonly id: number;
  readonly action: string;
  /** In milliseconds since 1970. */
  readonly since: number;
  /** JSON. */
  readonly actor: string;
  readonly requestId: string | undefined;
}

interface StoredContent {
  /** How many renames of attributes the content has seen. */
  readonly renames: number;
  /** JSON. */
  readonly content: string;
}

/** A version with its content. */
export interface StoredVersion extends VersionRow, StoredContent {}

const COLUMNS = raw('h.id, h.action, h.since, h.actor, h.request_id');

function textOf(value: Row[string] | undefined): string | undefined {
  return value === null || value === undefined ? undefined : String(value);
}

function rowOf(row: Row): VersionRow {
  return {
    id: Number(row['id']),
    action: String(row['action']),
    since: Number(row['since']),
    actor: String(row['actor']),
    requestId: textOf(row['request_id']),
  };
}

function contentIn(row: Row): StoredContent {
  return { renames: Number(row['renames']), content: String(row['content']) };
}

/** The versions of one entry, or of its draft; or of what visitors saw of it. */
function ofEntry({ uid, id }: { readonly uid: string; readonly id: number }, state: State = STATES.entry): Sql {
  return sql`h.subject = ${uid} AND h.state = ${raw(String(state))} AND h.entry_id = ${id}`;
}

/** At most `most` versions before a version, or the last ones. */
export async function listVersions(
  executor: Executor,
  entry: { readonly uid: string; readonly id: number },
  { before, most }: { readonly before: number | undefined; readonly most: number },
): Promise<readonly VersionRow[]> {
  const earlier = before === undefined ? raw('') : sql` AND h.id < ${before}`;
  const rows = await executor.all(
    sql`SELECT ${COLUMNS} FROM ${table} AS h WHERE ${ofEntry(entry)}${earlier} ORDER BY h.subject DESC, h.state DESC, h.entry_id DESC, h.id DESC LIMIT ${raw(String(most))}`,
  );
  return rows.map(rowOf);
}

/** A version of an entry; undefined if there is none with this number, or if the entry was deleted by it. */
export async function findVersion(
  executor: Executor,
  entry: { readonly uid: string; readonly id: number },
  version: number,
): Promise<StoredVersion | undefined> {
  const row = await executor.get(
    sql`SELECT ${COLUMNS}, h.renames, h.content FROM ${table} AS h WHERE ${ofEntry(entry)} AND h.id = ${version} AND h.content IS NOT NULL`,
  );
  return row && { ...rowOf(row), ...contentIn(row) };
}

/** What visitors saw of an entry once a version was written; undefined if they saw nothing, or if that is not kept any more. */
export async function findPublished(
  executor: Executor,
  entry: { readonly uid: string; readonly id: number },
  { id, since }: Pick<VersionRow, 'id' | 'since'>,
): Promise<StoredContent | undefined> {
  const next = sql`SELECT MIN(n.id) FROM ${table} AS n WHERE n.subject = ${entry.uid} AND n.state = ${raw(String(STATES.entry))} AND n.entry_id = ${entry.id} AND n.id > ${id}`;
  // What was there before the history began is recorded after it.
  const isBefore = sql`(h.since <= ${since} OR h.action = ${BEGIN}) AND h.id < COALESCE((${next}), h.id + 1)`;
  const row = await executor.get(
    sql`SELECT h.renames, h.content FROM ${table} AS h WHERE ${ofEntry(entry, STATES.published)} AND ${isBefore} ORDER BY h.subject DESC, h.state DESC, h.entry_id DESC, h.id DESC LIMIT 1`,
  );
  return row && (row['content'] ?? null) !== null ? contentIn(row) : undefined;
}

/** The first that is kept of what visitors saw of an entry. */
export async function firstPublished(
  executor: Executor,
  entry: { readonly uid: string; readonly id: number },
): Promise<StoredContent | undefined> {
  const row = await executor.get(
    sql`SELECT h.renames, h.content FROM ${table} AS h WHERE ${ofEntry(entry, STATES.published)} AND h.content IS NOT NULL ORDER BY h.subject, h.state, h.entry_id, h.id LIMIT 1`,
  );
  return row && contentIn(row);
}
