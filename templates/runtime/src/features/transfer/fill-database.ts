/** Fills an empty database and its storage, atomically. */
import { incrementAccessVersion } from '../../access/role-rows.ts';
import { CommandRefused } from '../../base/command-errors.ts';
import type { LastId } from '../../contract/content-transfer.ts';
import { HISTORY_TABLE } from '../../contract/history/history-table.ts';
import { deleteRows, raw } from '../../database/sql.ts';
import { statement, type Transaction } from '../../database/write-plan.ts';
import { checkEmpty, removeRoles } from './check-empty.ts';
import { claimValues } from '../../content/localization/claims.ts';
import type { TransferContext } from './context.ts';
import { checkSequences, restoreSequences } from './sequences.ts';
import type { StoredFileTarget } from './stored-file-target.ts';
import { ROLE_TABLES, transferTables } from '../../content/stored-rows/stored-tables.ts';

/** How long to wait for the migration lock, in milliseconds. */
const LOCK_TIMEOUT = 2000;

export interface Filling<T> {
  /** Throws if the database must not be filled. */
  readonly check?: (tx: Transaction) => Promise<void>;
  /** Writes the rows, and the files. */
  readonly work: (tx: Transaction) => Promise<{ readonly result: T; readonly lastIds: readonly LastId[] }>;
  /** Where `work` stores files. Undefined if it stores none. */
  readonly files: Pick<StoredFileTarget, 'removeStored'> | undefined;
  /** Whether to roll back at the end. */
  readonly isDryRun: boolean;
}

interface Filled<T> {
  readonly result: T;
  /** Table → its last id, where that was moved. */
  readonly moved: ReadonlyMap<string, number>;
}

/** Thrown to roll back the transaction of a dry run. */
class DryRunRollback extends Error {}

/** Lets servers record the entries: rows that say that a history is complete are those of the entry 0. */
async function beginHistories(tx: Transaction): Promise<void> {
  const step = statement(deleteRows(tx.dialect.id(HISTORY_TABLE), raw('entry_id = 0')));
  await tx.write(() => Promise.resolve({ subjects: [], steps: [step], answer: () => undefined }));
}

async function fillTables<T>(
  { contentTypes, schema, signal }: TransferContext,
  { check, work }: Filling<T>,
  tx: Transaction,
): Promise<Filled<T>> {
  const tables = transferTables(contentTypes, schema);
  await check?.(tx);
  await checkEmpty(tx, tables, schema);
  const hasRoles = tables.some(({ name }) => ROLE_TABLES.includes(name));
  if (hasRoles) await removeRoles(tx);
  const { result, lastIds } = await work(tx);
  // Exports have no claims: which row of an entry has them is of no meaning elsewhere.
  for (const claim of claimValues(tx.dialect, contentTypes)) await tx.run(claim);
  if (hasRoles) {
    await tx.write(() => Promise.resolve({ subjects: [], steps: incrementAccessVersion(), answer: () => undefined }));
  }
  if (Object.values(contentTypes.types).some(({ history }) => history)) await beginHistories(tx);
  const moved = await restoreSequences(tx, lastIds);
  signal.throwIfAborted();
  return { result, moved };
}

/** Throws `error`, with the names of the files that could not be removed. */
async function undoFiles<T>(files: Filling<T>['files'], error: unknown): Promise<never> {
  const left = (await files?.removeStored()) ?? [];
  if (left.length === 0) throw error;
  const reason = error instanceof Error ? error.message : String(error);
  throw new Error(`${reason}\nThese files could not be removed from the storage: ${left.join(', ')}`, { cause: error });
}

async function fillOnce<T>({ database, ...context }: TransferContext, filling: Filling<T>): Promise<Filled<T>> {
  let filled: Filled<T> | undefined;
  try {
    const committed = await database.migrating(LOCK_TIMEOUT, () =>
      database.longTransaction(async (tx) => {
        filled = await fillTables({ database, ...context }, filling, tx);
        if (filling.isDryRun) throw new DryRunRollback();
        return filled;
      }),
    );
    if (committed) return committed;
    throw new CommandRefused(
      'Another process is migrating this database or importing into it. Try again when it has finished.',
    );
  } catch (error) {
    if (error instanceof DryRunRollback && filled) return filled;
    // If the commit failed, its outcome is unknown. Then keep the files: orphans do no harm.
    return undoFiles(filled ? undefined : filling.files, error);
  }
}

/**
 * Fills a database in one transaction. Throws CommandRefused if it has content, or is being migrated. After any error nothing has changed,
 * except for the error about id sequences.
 */
export async function fillDatabase<T>(context: TransferContext, filling: Filling<T>): Promise<T> {
  const { result, moved } = await fillOnce(context, filling);
  if (!filling.isDryRun) await checkSequences(context, moved);
  return result;
}
