/** The rows of the outbox: leased to be told, told, tried again, given up, and deleted. */
import { COLUMN_NAMES } from '../../contract/column-names.ts';
import { OUTBOX_TABLE } from '../../contract/events/webhook.ts';
import { countUpTo } from '../../database/count-up-to.ts';
import type { Database } from '../../database/database.ts';
import { leaseRows } from '../../database/lease-rows.ts';
import { deleteRows, join, raw, sql, type Sql } from '../../database/sql.ts';
import type { Row } from '../../database/statement-runner.ts';
import { statement } from '../../database/write-plan.ts';

/** What has become of a row. */
export const STATE = { pending: 0, told: 1, givenUp: 2 } as const;

/**
 * For how long a row belongs to the process that tells it, in milliseconds: much longer than a try may take. After that, another process
 * may tell it.
 */
export const LEASE = 60_000;

const table = raw(OUTBOX_TABLE);

/** A try to tell a row. */
export interface Try {
  /** In ISO 8601. */
  readonly at: string;
  /** In milliseconds. */
  readonly took: number;
  /** The status of the answer; undefined if there was none. */
  readonly status?: number;
  readonly error?: string;
}

/** The last tries that are kept of a row. */
const KEPT_TRIES = 20;

export interface OutboxRow {
  readonly id: number;
  readonly receiver: string;
  readonly event: string;
  readonly type: string;
  readonly entryId: number;
  readonly documentId: string | undefined;
  readonly locale: string | undefined;
  readonly version: number;
  /** JSON. */
  readonly actor: string;
  readonly requestId: string | undefined;
  /** In milliseconds since 1970. */
  readonly since: number;
  /** JSON. */
  readonly entry: string;
  /** Tries that have ended. */
  readonly attempts: number;
  readonly tries: readonly Try[];
}

const COLUMNS = raw(
  'o.id, o.receiver, o.event, o.subject, o.entry_id, o.document_id, o.entry_locale, o.entry_version, o.actor, o.request_id, o.since, o.entry, o.attempts, o.tries',
);

function textOf(value: Row[string] | undefined): string | undefined {
  return value === null || value === undefined ? undefined : String(value);
}

function rowOf(row: Row): OutboxRow {
  return {
    id: Number(row['id']),
    receiver: String(row['receiver']),
    event: String(row['event']),
    type: String(row['subject']),
    entryId: Number(row['entry_id']),
    documentId: textOf(row[COLUMN_NAMES.documentId]),
    locale: textOf(row['entry_locale']),
    version: Number(row['entry_version']),
    actor: String(row['actor']),
    requestId: textOf(row['request_id']),
    since: Number(row['since']),
    entry: String(row['entry']),
    attempts: Number(row['attempts']),
    tries: JSON.parse(textOf(row['tries']) ?? '[]') as Try[],
  };
}

/** How a row is after a try. */
export interface Outcome {
  readonly row: OutboxRow;
  readonly lease: string;
  readonly state: (typeof STATE)[keyof typeof STATE];
  /** When it is tried next, or when it was told. */
  readonly dueAt: number;
  readonly tried: Try;
}

/**
 * No earlier row of the same entry is pending. Written so that PostgreSQL, whose statistics are those of an empty outbox when many rows come
 * at once, looks up each row by the index of entries: OFFSET keeps it from joining, IS TRUE from using the index of what is due.
 */
const IS_FIRST = sql`NOT EXISTS (SELECT 1 FROM ${table} e WHERE e.state = o.state AND e.subject = o.subject AND e.entry_id = o.entry_id AND (e.receiver = o.receiver) IS TRUE AND e.id < o.id LIMIT 1 OFFSET 0)`;

function isDue(receiver: string, now: number): Sql {
  return sql`o.state = ${raw(String(STATE.pending))} AND o.receiver = ${receiver} AND o.due_at <= ${now}`;
}

/** Whether the receiver may have rows to be told. */
export async function hasDue(database: Database, receiver: string, now: number): Promise<boolean> {
  return (await database.get(sql`SELECT 1 AS one FROM ${table} o WHERE ${isDue(receiver, now)} LIMIT 1`)) !== undefined;
}

/** Leases at most `most` rows of a receiver that are due, at most one of each entry. */
export async function lease(
  database: Database,
  receiver: string,
  { lease: name, most, now }: { readonly lease: string; readonly most: number; readonly now: number },
): Promise<readonly OutboxRow[]> {
  const where = sql`${isDue(receiver, now)} AND ${IS_FIRST}`;
  const until = sql`${now + LEASE}`;
  const rows = await leaseRows(database, { table, columns: COLUMNS, where, most, lease: name, until });
  return rows.map(rowOf);
}

/** Stores how rows are after their tries; those that another process has leased meanwhile stay as they are. */
export async function settle(database: Database, outcomes: readonly Outcome[]): Promise<void> {
  const steps = outcomes.map(({ row, lease: name, state, dueAt, tried }) => {
    const tries = JSON.stringify([...row.tries, tried].slice(-KEPT_TRIES));
    return statement(
      sql`UPDATE ${table} SET state = ${state}, due_at = ${dueAt}, lease = NULL, attempts = ${row.attempts + 1}, tries = ${tries} WHERE id = ${row.id} AND lease = ${name}`,
    );
  });
  await database.write(() => Promise.resolve({ subjects: [], steps, answer: () => undefined }));
}

/** Gives back leased rows that have not been tried. */
export async function release(database: Database, name: string, rows: readonly OutboxRow[]): Promise<void> {
  if (rows.length === 0) return;
  const theirs = database.dialect.isOneOf(
    raw('id'),
    rows.map(({ id }) => id),
  );
  await database.run(sql`UPDATE ${table} SET lease = NULL, due_at = ${Date.now()} WHERE ${theirs} AND lease = ${name}`);
}

/** Makes the waiting rows of a receiver due, now that it answers again. */
export async function wake(database: Database, receiver: string, now: number): Promise<void> {
  await database.run(
    sql`UPDATE ${table} SET due_at = ${now} WHERE state = ${STATE.pending} AND receiver = ${receiver} AND lease IS NULL AND due_at > ${now}`,
  );
}

/** How many rows wait, up to a limit. */
export function countPending(database: Database, receiver: string, most: number): Promise<number> {
  return countUpTo(database, table, sql`state = ${STATE.pending} AND receiver = ${receiver}`, most);
}

/** The last rows of a receiver in a state, or of all. */
export async function lastRows(
  database: Database,
  { receiver, state, most }: { readonly receiver: string; readonly state: number | undefined; readonly most: number },
): Promise<readonly (OutboxRow & { readonly state: number; readonly dueAt: number })[]> {
  const states = state === undefined ? Object.values(STATE) : [state];
  const rows = await Promise.all(
    states.map((one) =>
      database.all(
        sql`SELECT ${COLUMNS}, o.state, o.due_at FROM ${table} o WHERE o.state = ${one} AND o.receiver = ${receiver} ORDER BY o.due_at DESC, o.id DESC LIMIT ${raw(String(most))}`,
      ),
    ),
  );
  return rows
    .flat()
    .map((row) => ({ ...rowOf(row), state: Number(row['state']), dueAt: Number(row['due_at']) }))
    .sort((a, b) => b.id - a.id)
    .slice(0, most);
}

/** Makes rows that are told or given up due again; returns how many. `ids` undefined: all that were given up. */
export async function replay(
  database: Database,
  receiver: string,
  ids: readonly number[] | undefined,
): Promise<number> {
  const isTheirs = ids === undefined ? sql`state = ${STATE.givenUp}` : database.dialect.isOneOf(raw('id'), ids);
  const now = Date.now();
  // It is tried for another three days.
  const changes = await database.write(() => {
    const row = {
      sql: sql`UPDATE ${table} SET state = ${STATE.pending}, due_at = ${now}, since = ${now}, lease = NULL WHERE receiver = ${receiver} AND state <> ${STATE.pending} AND ${isTheirs}`,
      returns: 'changes',
    } as const;
    return Promise.resolve({ subjects: [], steps: [row], answer: (outcome) => outcome.of(row).changes });
  });
  return changes;
}

/** How many rows are deleted at a time. */
const RANGE = 1000;

/**
 * Deletes the rows before `kept` that are told or given up, and gives up those before `waits` that nobody will tell: of receivers other
 * than `telling`. Both in ranges of ids, from the first row on.
 */
export async function prune(
  database: Database,
  { kept, waits, telling }: { readonly kept: number; readonly waits: number; readonly telling: readonly string[] },
): Promise<void> {
  const others = telling.map((name) => sql` AND receiver <> ${name}`);
  for (let from = 0; ;) {
    const rest = sql`FROM ${table} WHERE id > ${from} ORDER BY id LIMIT 1`;
    const first = await database.get(sql`SELECT id, since ${rest}`);
    if (!first || Number(first['since']) >= Math.max(kept, waits)) return;
    const last = await database.get(sql`SELECT id ${rest} OFFSET ${raw(String(RANGE - 1))}`);
    const end = last ? sql` AND id <= ${Number(last['id'])}` : raw('');
    const range = sql`id > ${from}${end}`;
    await database.run(
      sql`UPDATE ${table} SET state = ${STATE.givenUp} WHERE ${range} AND state = ${STATE.pending} AND since < ${waits}${join(others, '')}`,
    );
    await database.run(deleteRows(table, sql`${range} AND state <> ${STATE.pending} AND since < ${kept}`));
    if (!last) return;
    from = Number(last['id']);
  }
}
