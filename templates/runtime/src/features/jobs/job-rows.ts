/** The rows of jobs: added, leased to be run, done, tried again, given up, and deleted. All times are by the clock of the database. */
import { JOBS_TABLE } from '../../contract/jobs/job-tables.ts';
import { countUpTo } from '../../database/count-up-to.ts';
import type { Database } from '../../database/database.ts';
import type { Executor } from '../../database/executor.ts';
import { leaseRows } from '../../database/lease-rows.ts';
import { type MovedClock, nowOf, readNow } from '../../database/moved-clock.ts';
import { deleteRows, join, raw, sql, type Sql } from '../../database/sql.ts';
import type { Row } from '../../database/statement-runner.ts';

/** What has become of a job. */
export const STATE = { pending: 0, done: 1, failed: 2 } as const;

export type JobState = (typeof STATE)[keyof typeof STATE];

/** For how long a job belongs to the process that runs it, in milliseconds, unless it says again that it does. */
export const LEASE = 60_000;

const table = raw(JOBS_TABLE);
const PENDING = raw(String(STATE.pending));

/** A run that has failed. */
export interface FailedTry {
  /** In ISO 8601. */
  readonly at: string;
  readonly error: string;
}

/** The last failures that are kept of a job. */
const KEPT_TRIES = 20;

export interface JobRow {
  readonly id: number;
  readonly name: string;
  /** JSON. */
  readonly input: string | undefined;
  /** In milliseconds since 1970. */
  readonly since: number;
  /** Runs that have begun. */
  readonly attempts: number;
  readonly tries: readonly FailedTry[];
}

const COLUMNS = raw('o.id, o.name, o.input, o.since, o.attempts, o.tries');

function rowOf(row: Row): JobRow {
  const [input, tries] = [row['input'], row['tries']];
  return {
    id: Number(row['id']),
    name: String(row['name']),
    input: typeof input === 'string' ? input : undefined,
    since: Number(row['since']),
    attempts: Number(row['attempts']),
    tries: typeof tries === 'string' ? (JSON.parse(tries) as FailedTry[]) : [],
  };
}

export interface NewJob {
  readonly name: string;
  /** JSON. */
  readonly input: string | undefined;
  readonly key: string | undefined;
  /** When it is due: a time, or milliseconds from now. */
  readonly after: Date | number;
}

/** Adds a job, unless there is one with its key. */
export async function addJob(executor: Executor, clock: MovedClock, job: NewJob): Promise<void> {
  const { name, input = null, key = null, after } = job;
  const now = nowOf(executor, clock);
  const due = after instanceof Date ? sql`${after.getTime()}` : nowOf(executor, clock, after);
  const known =
    key === null ? raw('') : sql` ${executor.dialect.onConflict({ key: ['name', 'job_key'], update: 'name' })}`;
  await executor.run(
    sql`INSERT INTO ${table} (name, job_key, input, since, state, due_at, attempts) VALUES (${name}, ${key}, ${input}, ${now}, ${STATE.pending}, ${due}, 0)${known}`,
  );
}

/** How early a job may begin, in milliseconds: the clock as two connections read it may differ by less. */
const EARLY = 20;

function isDue(database: Database, clock: MovedClock, names: readonly string[]): Sql {
  const listed = join(
    names.map((name) => sql`${name}`),
    ', ',
  );
  return sql`o.state = ${PENDING} AND o.due_at <= ${nowOf(database, clock, EARLY)} AND o.name IN (${listed})`;
}

/** Whether any of these jobs may be due. */
export async function hasDue(database: Database, clock: MovedClock, names: readonly string[]): Promise<boolean> {
  const where = isDue(database, clock, names);
  return (await database.get(sql`SELECT 1 AS one FROM ${table} o WHERE ${where} LIMIT 1`)) !== undefined;
}

/** Leases jobs that are due. Their attempts include the run that begins. */
export async function lease(
  database: Database,
  clock: MovedClock,
  { names, most, lease: name }: { readonly names: readonly string[]; readonly most: number; readonly lease: string },
): Promise<readonly JobRow[]> {
  const rows = await leaseRows(database, {
    table,
    columns: COLUMNS,
    where: isDue(database, clock, names),
    most,
    lease: name,
    until: nowOf(database, clock, LEASE),
    // Counted before it runs: a job that kills its process is given up, too.
    further: raw(', attempts = attempts + 1'),
  });
  return rows.map(rowOf).map((row) => ({ ...row, attempts: row.attempts + 1 }));
}

/** Says that these jobs still run here, and returns the ids of those that another process has taken. */
export async function renew(
  database: Database,
  clock: MovedClock,
  { lease: name, ids }: { readonly lease: string; readonly ids: readonly number[] },
): Promise<readonly number[]> {
  const own = sql`lease = ${name} AND ${database.dialect.isOneOf(raw('id'), ids)}`;
  await database.run(sql`UPDATE ${table} SET due_at = ${nowOf(database, clock, LEASE)} WHERE ${own}`);
  const rows = await database.all(sql`SELECT id FROM ${table} WHERE ${own}`);
  const kept = new Set(rows.map(({ id }) => Number(id)));
  return ids.filter((id) => !kept.has(id));
}

/** Stores that a job is done. */
export async function settleDone(database: Database, clock: MovedClock, lease: string, { id }: JobRow): Promise<void> {
  await database.run(
    sql`UPDATE ${table} SET state = ${STATE.done}, due_at = ${nowOf(database, clock)}, lease = NULL WHERE id = ${id} AND lease = ${lease}`,
  );
}

/** Stores a failure. The job is tried again after `wait` milliseconds; undefined: it is given up. */
export async function settleFailed(
  database: Database,
  clock: MovedClock,
  {
    lease: name,
    row,
    error,
    wait,
  }: { readonly lease: string; readonly row: JobRow; readonly error: string; readonly wait: number | undefined },
): Promise<void> {
  const at = new Date(await readNow(database, clock)).toISOString();
  const tries = JSON.stringify([...row.tries, { at, error }].slice(-KEPT_TRIES));
  const state = wait === undefined ? STATE.failed : STATE.pending;
  await database.run(
    sql`UPDATE ${table} SET state = ${state}, due_at = ${nowOf(database, clock, wait)}, lease = NULL, tries = ${tries} WHERE id = ${row.id} AND lease = ${name}`,
  );
}

/** Gives back a job whose run does not count. */
export async function release(database: Database, clock: MovedClock, lease: string, { id }: JobRow): Promise<void> {
  await database.run(
    sql`UPDATE ${table} SET due_at = ${nowOf(database, clock)}, lease = NULL, attempts = attempts - 1 WHERE id = ${id} AND lease = ${lease}`,
  );
}

/** How many jobs are in a state, up to a limit. */
export function countJobs(database: Database, state: JobState, most: number): Promise<number> {
  return countUpTo(database, table, sql`state = ${state}`, most);
}

/** The jobs that have been due for longer than this, in milliseconds; their names, up to a limit. */
export async function overdueNames(database: Database, clock: MovedClock, longer: number): Promise<readonly string[]> {
  const rows = await database.all(
    sql`SELECT DISTINCT name FROM ${table} WHERE state = ${PENDING} AND due_at < ${nowOf(database, clock, -longer)} ORDER BY name LIMIT 10`,
  );
  return rows.map(({ name }) => String(name));
}

/** A job as it is listed. */
export interface ListedJob extends JobRow {
  readonly state: JobState;
  /** When it is done next, or was; in milliseconds since 1970. */
  readonly dueAt: number;
  readonly key: string | undefined;
  readonly isRunning: boolean;
}

/** The last jobs in a state and of a name, if these are given. */
export async function lastJobs(
  database: Database,
  {
    name,
    state,
    most,
  }: { readonly name: string | undefined; readonly state: JobState | undefined; readonly most: number },
): Promise<readonly ListedJob[]> {
  const ofName = name === undefined ? raw('') : sql` AND o.name = ${name}`;
  const inState = state === undefined ? raw('') : sql` AND o.state = ${state}`;
  const rows = await database.all(
    sql`SELECT ${COLUMNS}, o.state, o.due_at, o.job_key, o.lease FROM ${table} o WHERE o.id > 0${inState}${ofName} ORDER BY o.id DESC LIMIT ${raw(String(most))}`,
  );
  return rows.map((row) => ({
    ...rowOf(row),
    state: Number(row['state']) as JobState,
    dueAt: Number(row['due_at']),
    key: typeof row['job_key'] === 'string' ? row['job_key'] : undefined,
    isRunning: row['lease'] !== null,
  }));
}

/** A job that no process runs. */
function isIdle(database: Database, clock: MovedClock, id: number): Sql {
  return sql`id = ${id} AND (lease IS NULL OR due_at <= ${nowOf(database, clock)})`;
}

/** Makes a job due, with all its tries; whether there is one that doesn't run. */
export async function retryJob(database: Database, clock: MovedClock, id: number): Promise<boolean> {
  const { changes } = await database.run(
    sql`UPDATE ${table} SET state = ${STATE.pending}, due_at = ${nowOf(database, clock)}, lease = NULL, attempts = 0 WHERE ${isIdle(database, clock, id)}`,
  );
  return changes > 0;
}

/** Removes a job; whether there was one that didn't run. */
export async function removeJob(database: Database, clock: MovedClock, id: number): Promise<boolean> {
  return (await database.run(deleteRows(table, isIdle(database, clock, id)))).changes > 0;
}

const DAY = 24 * 3_600_000;
/** For how long jobs are kept that are done, and so are their keys; and those that were given up. In milliseconds. */
const KEPT = { done: 7 * DAY, failed: 30 * DAY } as const;
/** How many finished jobs are kept: with keys, and without. */
const MOST_KEPT = { keyed: 100_000, plain: 10_000 } as const;
/** How many rows are deleted at a time. */
const RANGE = 1000;

/** Deletes the finished jobs in a state that are older than `age`, and all but the last `most`; in ranges, the oldest first. */
async function pruneSome(
  database: Database,
  clock: MovedClock,
  { where, age, most }: { readonly where: Sql; readonly age: number; readonly most: number },
): Promise<void> {
  const old = (await readNow(database, clock)) - age;
  const surplus = await database.get(
    sql`SELECT due_at FROM ${table} WHERE ${where} ORDER BY due_at DESC LIMIT 1 OFFSET ${raw(String(most))}`,
  );
  const end = Math.max(old, Number(surplus?.['due_at'] ?? 0));
  for (;;) {
    const rows = await database.all(
      sql`SELECT id FROM ${table} WHERE ${where} AND due_at <= ${end} ORDER BY due_at, id LIMIT ${raw(String(RANGE))}`,
    );
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => Number(id));
    // Unless somebody has made it due again meanwhile.
    await database.run(deleteRows(table, sql`${database.dialect.isOneOf(raw('id'), ids)} AND ${where}`));
    if (rows.length < RANGE) return;
  }
}

/** Deletes the finished jobs that need not be kept. */
export async function prune(database: Database, clock: MovedClock): Promise<void> {
  const inState = (state: JobState, keyed: boolean) =>
    sql`state = ${raw(String(state))} AND job_key IS ${raw(keyed ? 'NOT NULL' : 'NULL')}`;
  for (const [state, age] of [
    [STATE.done, KEPT.done],
    [STATE.failed, KEPT.failed],
  ] as const) {
    await pruneSome(database, clock, { where: inState(state, false), age, most: MOST_KEPT.plain });
    await pruneSome(database, clock, { where: inState(state, true), age, most: MOST_KEPT.keyed });
  }
}
