/** The history of twins: the same versions of what a caller sees, with the same numbers and times. */
import { COLUMN_NAMES } from '../../contract/column-names.ts';
import type { ContentType } from '../../contract/content-type.ts';
import { HISTORY_TABLE } from '../../contract/history/history-table.ts';
import type { Database } from '../../database/database.ts';
import { raw, sql } from '../../database/sql.ts';
import { completeSince } from '../../entries/history/complete-since.ts';
import { STATES } from '../../entries/history/recorded-types.ts';
import type { ServerDefinition } from '../../server/definition.ts';
import { FIRST_TIME, timeOf } from './times.ts';

interface Stored {
  readonly database: Database;
}

/** Which entries a caller sees: as published, and as drafts. */
interface Seen {
  readonly found: ReadonlySet<number>;
  readonly drafts: ReadonlySet<number>;
}

const table = raw(HISTORY_TABLE);
const WAIT = 20;

export function typesWithHistory({ contentTypes }: ServerDefinition): readonly ContentType[] {
  return Object.values(contentTypes.types).filter(({ history }) => history !== undefined);
}

/** Resolves once the history of all types has begun, so that what is written from then on has the same numbers. */
export async function historyBegun(database: Database, definition: ServerDefinition): Promise<void> {
  for (const { uid } of typesWithHistory(definition)) {
    while ((await completeSince(database, uid)) === undefined) {
      await new Promise<void>((resolve) => void setTimeout(resolve, WAIT));
    }
  }
}

interface VersionRow {
  readonly id: number;
  readonly subject: string;
  readonly state: number;
  readonly entry: number;
  readonly document: string | null;
  readonly content: string | null;
}

async function versionRows({ database }: Stored): Promise<readonly VersionRow[]> {
  const rows = await database.all(
    sql`SELECT id, subject, state, entry_id, document_id, content FROM ${table} WHERE entry_id > 0 ORDER BY id`,
  );
  return rows.map((row) => ({
    id: Number(row['id']),
    subject: String(row['subject']),
    state: Number(row['state']),
    entry: Number(row['entry_id']),
    document: row[COLUMN_NAMES.documentId] === null ? null : String(row[COLUMN_NAMES.documentId]),
    content: row['content'] === null ? null : String(row['content']),
  }));
}

function entryOf({ subject, entry }: VersionRow): string {
  return `${subject} ${entry}`;
}

function aligned({ entry, content }: VersionRow, document: string | null): string | null {
  if (content === null) return null;
  const values = JSON.parse(content) as Readonly<Record<string, unknown>>;
  const time = timeOf(entry);
  return JSON.stringify({
    ...values,
    ...('documentId' in values && { documentId: document }),
    createdAt: time,
    updatedAt: time,
    ...(typeof values['publishedAt'] === 'string' && { publishedAt: time }),
  });
}

/** Gives versions times by their numbers, and in their contents the document ids and times of their entries. */
export async function alignHistory(both: readonly [Stored, Stored], definition: ServerDefinition): Promise<void> {
  if (typesWithHistory(definition).length === 0) return;
  const all = [await versionRows(both[0]), await versionRows(both[1])] as const;
  const documents = new Map(all[0].map((row) => [entryOf(row), row.document]));
  for (const [index, { database }] of both.entries()) {
    await database.run(sql`UPDATE ${table} SET since = ${FIRST_TIME} WHERE entry_id = 0`);
    for (const row of all[index] ?? []) {
      const document = documents.get(entryOf(row)) ?? row.document;
      const since = Date.parse(timeOf(row.id));
      await database.run(
        sql`UPDATE ${table} SET since = ${since}, document_id = ${document}, content = ${aligned(row, document)} WHERE id = ${row.id}`,
      );
    }
  }
}

/** The last version so far; undefined if the two servers don't have the same. */
export async function lastVersion(both: readonly [Stored, Stored]): Promise<number | undefined> {
  const [one, other] = [await versionRows(both[0]), await versionRows(both[1])];
  const isSame =
    one.length === other.length &&
    one.every((row, index) => {
      const as = other[index];
      return as?.id === row.id && entryOf(as) === entryOf(row) && as.state === row.state;
    });
  return isSame ? (one.at(-1)?.id ?? 0) : undefined;
}

/**
 * Deletes the versions of what the caller sees that changes of hidden entries have made: an entry gets another version when something hidden
 * is related to it, which its history tells as its ETag does.
 */
export async function forgetVersions(
  { database }: Stored,
  definition: ServerDefinition,
  visible: ReadonlyMap<string, Seen>,
  after: number,
): Promise<void> {
  const forget = async (uid: string, state: number, ids: ReadonlySet<number>): Promise<void> => {
    if (ids.size === 0) return;
    await database.run(
      sql`DELETE FROM ${table} WHERE subject = ${uid} AND state = ${state} AND id > ${after} AND ${database.dialect.isOneOf(raw('entry_id'), [...ids])}`,
    );
  };
  for (const { uid, draftAndPublish } of typesWithHistory(definition)) {
    const { found, drafts } = visible.get(uid) ?? { found: new Set<number>(), drafts: new Set<number>() };
    await forget(uid, STATES.published, found);
    await forget(uid, STATES.entry, draftAndPublish ? drafts : found);
  }
}

/** The numbers of the versions of entries, by type and id. */
export async function knownVersions(twin: Stored): Promise<ReadonlyMap<string, readonly number[]>> {
  const known = new Map<string, readonly number[]>();
  for (const row of await versionRows(twin)) {
    if (row.state !== STATES.entry) continue;
    known.set(entryOf(row), [...(known.get(entryOf(row)) ?? []), row.id]);
  }
  return known;
}
