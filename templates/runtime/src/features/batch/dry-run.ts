/** Finds out which operations of a batch are refused, and undoes the others. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ConflictError, ForbiddenError } from '../../contract/errors.ts';
import { StaleEntryError } from '../../entries/stale-entry.ts';
import type { Audit } from '../../http/audit.ts';
import { errorPart } from '../../http/error-envelope.ts';
import type { CallsInTransaction, InTransaction } from '../../http/feature.ts';
import {
  type Batch,
  explained,
  isRefusal,
  MAX_TRIES,
  OperationError,
  operationsOf,
  TIME_PER_TURN,
} from './run-operation.ts';

/** Ends the transaction, so that nothing of it is kept. */
class DryRunDone extends Error {
  readonly refused: readonly OperationError[];

  constructor(refused: readonly OperationError[]) {
    super('a dry run keeps nothing');
    this.refused = refused;
  }
}

/** Always throws: DryRunDone, and what ends the transaction or is nobody's to change. */
async function tryAll(batch: Batch, inside: CallsInTransaction): Promise<never> {
  const run = operationsOf(batch, inside.calls);
  const refused: OperationError[] = [];
  let turn = performance.now();
  for (const [index, operation] of batch.operations.entries()) {
    try {
      await inside.attempt(() => run(index, operation));
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      if (error.cause instanceof StaleEntryError) throw error.cause;
      if (!isRefusal(explained(batch, error))) throw error.cause;
      refused.push(error);
    }
    if (performance.now() - turn > TIME_PER_TURN) {
      await nextTurn();
      turn = performance.now();
    }
  }
  throw new DryRunDone(refused);
}

async function refusedOf(batch: Batch, inTransaction: InTransaction): Promise<readonly OperationError[]> {
  for (let tries = 1; ; tries += 1) {
    try {
      await inTransaction((inside) => tryAll(batch, inside));
    } catch (error) {
      if (error instanceof DryRunDone) return error.refused;
      if (!(error instanceof StaleEntryError)) throw error;
      if (tries === MAX_TRIES) throw new ConflictError('Other requests change the same entries', 1);
    }
  }
}

/** Resolves to the JSON of all operations that the batch would be refused for, each as if those before it were done or left out. */
export async function dryRun(
  batch: Batch,
  inTransaction: InTransaction,
  audit: Pick<Audit, 'refused'> | undefined,
): Promise<string> {
  const refused = await refusedOf(batch, inTransaction);
  const shown = refused.flatMap((failed) => {
    const error = explained(batch, failed);
    if (!isRefusal(error)) return [];
    const { index: operation, route } = failed;
    // Nobody finds out uncounted what is refused to them.
    if (error instanceof ForbiddenError) audit?.refused('refused', route && `${route.type.uid}.${route.action}`);
    return { operation, error: errorPart(batch.ctx, error) };
  });
  return JSON.stringify({ refused: shown });
}
