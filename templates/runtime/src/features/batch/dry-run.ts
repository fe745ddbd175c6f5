/** Finds out which operations of a batch are refused, and undoes the others. */
import type { HttpError } from '../../contract/errors.ts';
import { StaleEntryError } from '../../entries/stale-entry.ts';
import { type Audit, countRefusal } from '../../http/audit.ts';
import { errorPart } from '../../http/error-envelope.ts';
import type { CallsInTransaction, InTransaction } from '../../http/feature.ts';
import { type Batch, eachOperation, explained, isRefusal, OperationError, retried } from './run-operation.ts';

/** An operation that is refused, and the error that people are told. */
interface Refused {
  readonly failed: OperationError;
  readonly error: HttpError;
}

/** Ends the transaction, so that nothing of it is kept. */
class DryRunDone extends Error {
  readonly refused: readonly Refused[];

  constructor(refused: readonly Refused[]) {
    super('a dry run keeps nothing');
    this.refused = refused;
  }
}

/** Always throws: DryRunDone, and what ends the transaction or is nobody's to change. */
async function tryAll(batch: Batch, inside: CallsInTransaction): Promise<never> {
  const refused: Refused[] = [];
  await eachOperation(batch, inside.calls, async (run) => {
    try {
      await inside.attempt(run);
    } catch (failed) {
      if (!(failed instanceof OperationError) || failed.cause instanceof StaleEntryError) throw failed;
      const error = explained(batch, failed);
      if (!isRefusal(error)) throw failed.cause;
      refused.push({ failed, error });
    }
  });
  throw new DryRunDone(refused);
}

async function refusedOf(batch: Batch, inTransaction: InTransaction): Promise<readonly Refused[]> {
  try {
    return await retried(() => inTransaction((inside) => tryAll(batch, inside)));
  } catch (error) {
    if (error instanceof DryRunDone) return error.refused;
    throw error;
  }
}

/** Resolves to the JSON of all operations that the batch would be refused for, each as if those before it were done or left out. */
export async function dryRun(
  batch: Batch,
  inTransaction: InTransaction,
  audit: Pick<Audit, 'refused'> | undefined,
): Promise<string> {
  const refused = await refusedOf(batch, inTransaction);
  const shown = refused.map(({ failed: { index, route }, error }) => {
    // Nobody finds out uncounted what is refused to them.
    countRefusal(audit, error, route && `${route.type.uid}.${route.action}`);
    return { operation: index, error: errorPart(batch.ctx, error) };
  });
  return JSON.stringify({ refused: shown });
}
