/**
 * The journal of stored files of which it is not settled whether an entry has them, in the table `pending_files`. A name is
 * there before its bytes are stored; the transaction that makes an entry of it takes it away, the one that removes the entry
 * puts it back. So, whatever dies and whichever answer is lost: bytes that no entry has are in the journal, and whoever may
 * remove bytes is who has claimed their names there.
 */
import type { Database, Executor } from '../../database/database.ts';
import { join, sql, type Sql } from '../../database/sql.ts';
import { ServiceUnavailableError } from '../../contract/errors.ts';

/** How many names one statement has. */
const BATCH = 100;
/** Seconds after which an upload can be tried again that took longer than the sweeper waits. */
const RETRY_AFTER = 1;

type Names = readonly string[];

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
  readonly removing: 0 | 1;
}

async function insert(executor: Executor, names: Names, { provider, removing }: NewPending): Promise<void> {
  const since = Date.now();
  for (const batch of batchesOf(names)) {
    const rows = batch.map((name) => sql`(${name}, ${provider}, ${removing}, ${since})`);
    await executor.run(sql`INSERT INTO pending_files (name, provider, removing, since) VALUES ${join(rows, ', ')}`);
  }
}

/** Writes names down before their bytes are stored. */
export function announceFiles(database: Database, provider: string, names: Names): Promise<void> {
  return insert(database, names, { provider, removing: 0 });
}

/**
 * In the transaction that makes entries of announced files: they are no longer pending. Throws ServiceUnavailableError if
 * somebody has claimed their bytes meanwhile.
 */
export async function settleFiles(tx: Executor, names: Names): Promise<void> {
  for (const batch of batchesOf(names)) {
    const { changes } = await tx.run(sql`DELETE FROM pending_files WHERE removing = 0 AND name IN (${listOf(batch)})`);
    if (changes !== batch.length) {
      throw new ServiceUnavailableError(RETRY_AFTER, new Error('stored files were removed before they had entries'));
    }
  }
}

/** In the transaction that removes the entries of files: their bytes are to go. */
export function releaseFiles(tx: Executor, provider: string, names: Names): Promise<void> {
  return insert(tx, names, { provider, removing: 1 });
}

/**
 * Claims those of the names that are pending: no entry has them, and none gets them any more. Waits for a transaction that is
 * about to settle them.
 */
export async function claimFiles(database: Database, names: Names): Promise<string[]> {
  const claimed: string[] = [];
  for (const batch of batchesOf(names)) {
    const condition = sql`name IN (${listOf(batch)})`;
    await database.run(sql`UPDATE pending_files SET removing = 1 WHERE ${condition}`);
    const rows = await database.all(sql`SELECT name FROM pending_files WHERE ${condition} AND removing = 1`);
    for (const { name } of rows) claimed.push(String(name));
  }
  return claimed;
}

/** Strikes out names whose bytes are gone. */
export async function forgetFiles(database: Database, names: Names): Promise<void> {
  for (const batch of batchesOf(names)) {
    await database.run(sql`DELETE FROM pending_files WHERE name IN (${listOf(batch)})`);
  }
}

/** Which of these names are pending. */
export async function pendingAmong(executor: Executor, names: Names): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const batch of batchesOf(names)) {
    const rows = await executor.all(sql`SELECT name FROM pending_files WHERE name IN (${listOf(batch)})`);
    for (const { name } of rows) found.add(String(name));
  }
  return found;
}

/** Names of one storage that are pending since before a time, in milliseconds since 1970, in order; `after`: a name. */
export async function pendingBefore(
  database: Database,
  { provider, before, after }: { readonly provider: string; readonly before: number; readonly after: string },
): Promise<string[]> {
  const rows = await database.all(
    sql`SELECT name FROM pending_files WHERE provider = ${provider} AND since < ${before} AND name > ${after} ORDER BY name LIMIT ${BATCH}`,
  );
  return rows.map(({ name }) => String(name));
}

/** How many names are pending. */
export async function countPending(database: Database, provider: string): Promise<number> {
  const row = await database.get(sql`SELECT count(*) AS n FROM pending_files WHERE provider = ${provider}`);
  return Number(row?.['n'] ?? 0);
}
