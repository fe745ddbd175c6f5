/**
 * The write-ahead journal of stored files, in the table `pending_files`: a name in it may have bytes without an entry.
 * A name is added before its bytes are stored; the transaction that creates the entry removes it, and the one that
 * deletes the entry adds it again. Invariant, also after a crash or a lost commit response: bytes without an entry are
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

function insertsOf(names: Names, { provider, removing }: NewPending): Sql[] {
  const since = Date.now();
  return Array.from(batchesOf(names), (batch) => {
    const rows = batch.map((name) => sql`(${name}, ${provider}, ${removing}, ${since})`);
    return sql`INSERT INTO pending_files (name, provider, removing, since) VALUES ${join(rows, ', ')}`;
  });
}

/** Adds names before their bytes are stored. */
export async function announceFiles(database: Database, provider: string, names: Names): Promise<void> {
  for (const insert of insertsOf(names, { provider, removing: 0 })) await database.run(insert);
}

/**
 * Removes names, in the write that creates their entries. Throws ServiceUnavailableError if they were claimed in the meantime.
 */
export function settleFiles(names: Names): readonly Step[] {
  return Array.from(batchesOf(names), (batch): readonly Step[] => {
    const pending = sql`removing = 0 AND name IN (${listOf(batch)})`;
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
  return insertsOf(names, { provider, removing: 1 }).map(statement);
}

/**
 * Claims those of the names that are pending, and returns them: from then on no entry can be created for them. Waits
 * for a transaction that is settling them.
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
 * since 1970; `after`: the last name of the previous page.
 */
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
