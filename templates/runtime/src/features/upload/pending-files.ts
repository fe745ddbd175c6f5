/**
 * The write-ahead journal of stored files, in the table `pending_files`: a name in it may have bytes without an entry.
 * A name is added before its bytes are stored; the transaction that creates the entry removes it, and the one that
 * deletes the entry adds it again. Names of files in the trash are due when their time there is over. Invariant, also after a crash or a lost commit response: bytes without an entry are
 * in the journal, and bytes are removed only after their name has been claimed.
 */
import type { Database } from '../../database/database.ts';
import type { Executor } from '../../database/executor.ts';
import { type LaterSteps, statement, type Statement, type Step } from '../../database/write-plan.ts';
import { deleteRows, join, raw, sql, type Sql } from '../../database/sql.ts';
import { ServiceUnavailableError } from '../../contract/errors.ts';

/** Names per statement. */
const BATCH = 100;
/** In seconds. For uploads so slow that the sweeper has already removed their files. */
const RETRY_AFTER = 1;

type Names = readonly string[];

/** What is to become of a name: an entry, nothing, or an entry again if it is restored from the trash. */
const REMOVING = { arriving: 0, released: 1, inTrash: 2 } as const;

function* batchesOf(names: Names): Generator<Names> {
  for (let at = 0; at < names.length; at += BATCH) yield names.slice(at, at + BATCH);
}

function listOf(names: Names): Sql {
  return join(
    names.map((name) => sql`${name}`),
    ', ',
  );
}

interface NewPending {
  readonly provider: string;
  readonly removing: (typeof REMOVING)[keyof typeof REMOVING];
  /** In milliseconds since 1970; a day later the sweeper removes the bytes. */
  readonly since?: number;
}

function insertsOf(names: Names, { provider, removing, since = Date.now() }: NewPending): Sql[] {
  return Array.from(batchesOf(names), (batch) => {
    const rows = batch.map((name) => sql`(${name}, ${provider}, ${removing}, ${since})`);
    return sql`INSERT INTO pending_files (name, provider, removing, since) VALUES ${join(rows, ', ')}`;
  });
}

/** Adds names before their bytes are stored. */
export async function announceFiles(database: Database, provider: string, names: Names): Promise<void> {
  for (const insert of insertsOf(names, { provider, removing: REMOVING.arriving })) await database.run(insert);
}

/**
 * Removes names, in the write that creates their entries. Throws ServiceUnavailableError if they were claimed in the meantime.
 */
export function settleFiles(names: Names): readonly Step[] {
  return Array.from(batchesOf(names), (batch): readonly Step[] => {
    const pending = sql`removing = ${REMOVING.arriving} AND name IN (${listOf(batch)})`;
    const settle: Statement = { sql: deleteRows(raw('pending_files'), pending), returns: 'changes' };
    const check: LaterSteps = (_, outcome) => {
      if (outcome.of(settle).changes === batch.length) return Promise.resolve([]);
      throw new ServiceUnavailableError(
        RETRY_AFTER,
        new Error('stored files were removed before their entries were created'),
      );
    };
    return [settle, check];
  }).flat();
}

/** Adds names as claimed, in the write that deletes their entries. */
export function releaseFiles(provider: string, names: Names): readonly Statement[] {
  return insertsOf(names, { provider, removing: REMOVING.released }).map(statement);
}

/** Adds names in the write that moves their entries into the trash, until a time in milliseconds since 1970. */
export function keepFiles(provider: string, names: Names, until: number): readonly Statement[] {
  return insertsOf(names, { provider, removing: REMOVING.inTrash, since: until }).map(statement);
}

/** Removes names, in the write that restores their entries from the trash. Nothing happens to those that are not in it. */
export function bringFilesBack(names: Names): readonly Statement[] {
  return Array.from(batchesOf(names), (batch) =>
    statement(deleteRows(raw('pending_files'), sql`removing = ${REMOVING.inTrash} AND name IN (${listOf(batch)})`)),
  );
}

/** Whether the entry of a stored file has been deleted. */
export async function isDeletedFile(executor: Executor, name: string): Promise<boolean> {
  const row = await executor.get(
    sql`SELECT removing FROM pending_files WHERE name = ${name} AND removing <> ${REMOVING.arriving}`,
  );
  return row !== undefined;
}

/**
 * Claims those of the names that are pending, and returns them: from then on no entry can be created for them. Waits
 * for a transaction that is settling them.
 */
export async function claimFiles(database: Database, names: Names): Promise<string[]> {
  const claimed: string[] = [];
  for (const batch of batchesOf(names)) {
    const condition = sql`name IN (${listOf(batch)})`;
    await database.run(sql`UPDATE pending_files SET removing = ${REMOVING.released} WHERE ${condition}`);
    const rows = await database.all(
      sql`SELECT name FROM pending_files WHERE ${condition} AND removing = ${REMOVING.released}`,
    );
    for (const { name } of rows) claimed.push(String(name));
  }
  return claimed;
}

/** Removes names whose bytes were removed. */
export async function forgetFiles(database: Database, names: Names): Promise<void> {
  for (const batch of batchesOf(names)) {
    await database.run(deleteRows(raw('pending_files'), sql`name IN (${listOf(batch)})`));
  }
}

/** The subset of the names that is pending. */
export async function pendingAmong(executor: Executor, names: Names): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const batch of batchesOf(names)) {
    const rows = await executor.all(sql`SELECT name FROM pending_files WHERE name IN (${listOf(batch)})`);
    for (const { name } of rows) found.add(String(name));
  }
  return found;
}

/**
 * The next page of pending names of one storage, in order. `before`: pending since before this time, in milliseconds
 * since 1970; `after`: the last name of the previous page; `withTrash`: as well as all names that are in the trash.
 */
export async function pendingBefore(
  database: Database,
  {
    provider,
    before,
    after,
    withTrash,
  }: { readonly provider: string; readonly before: number; readonly after: string; readonly withTrash: boolean },
): Promise<string[]> {
  const isDue = withTrash ? sql`(since < ${before} OR removing = ${REMOVING.inTrash})` : sql`since < ${before}`;
  const rows = await database.all(
    sql`SELECT name FROM pending_files WHERE provider = ${provider} AND ${isDue} AND name > ${after} ORDER BY name LIMIT ${BATCH}`,
  );
  return rows.map(({ name }) => String(name));
}

/** How many names are pending, without those of files in the trash. */
export async function countPending(database: Database, provider: string): Promise<number> {
  const row = await database.get(
    sql`SELECT count(*) AS n FROM pending_files WHERE provider = ${provider} AND since <= ${Date.now()}`,
  );
  return Number(row?.['n'] ?? 0);
}
