/** The rows of versions: read in the order of their writes, the last one first. */
import { HISTORY_TABLE } from '../../contract/history/history-table.ts';
import type { Executor } from '../../database/executor.ts';
import { raw, sql, type Sql } from '../../database/sql.ts';
import type { Row } from '../../database/statement-runner.ts';
import { STATES } from './recorded-types.ts';

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

/** A version with its content. */
export interface StoredVersion extends VersionRow {
  /** How many renames of attributes the content has seen. */
  readonly renames: number;
  /** JSON. */
  readonly content: string;
}

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

/** The versions of one entry, or of its draft. */
function ofEntry({ uid, id }: { readonly uid: string; readonly id: number }): Sql {
  return sql`h.subject = ${uid} AND h.state = ${raw(String(STATES.entry))} AND h.entry_id = ${id}`;
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
  return row && { ...rowOf(row), renames: Number(row['renames']), content: String(row['content']) };
}
