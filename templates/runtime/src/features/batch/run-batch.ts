/** Carries out the operations of a batch in one transaction. */
import type { BATCH_ROUTES } from '../../contract/routes/batch.ts';
import { HttpError } from '../../contract/errors.ts';
import { keyedTransaction } from '../../entries/keyed-write.ts';
import { readObject } from '../../http/body.ts';
import { clientOf } from '../../http/client.ts';
import type { CallsInTransaction, FeatureHost, InTransaction } from '../../http/feature.ts';
import type { Handlers, IdsOf } from '../../http/mount-routes.ts';
import { requestKey } from '../../http/state.ts';
import { NO_ENTRY } from '../../query/answer.ts';
import { WRITE_COST } from '../../query/cost.ts';
import type { BatchSettings } from './batch-settings.ts';
import { batchRoutes, type CallResult } from './call-route.ts';
import { dryRun } from './dry-run.ts';
import { isDryRun, readOperations } from './operations.ts';
import { allOperations, type Batch, explained, OperationError, retried } from './run-operation.ts';

/** The JSON of a result: `{status, data, meta}`. */
function resultText({ status, answer, isBare }: CallResult): string {
  const body = String(answer.body);
  if (body === NO_ENTRY.body) return '{"status":204,"data":null,"meta":{}}';
  return isBare ? `{"status":${status},"data":${body},"meta":{}}` : `{"status":${status},${body.slice(1)}`;
}

/** Resolves to the JSON of the results. Throws OperationError. */
async function runAll(batch: Batch, inside: CallsInTransaction): Promise<string> {
  const results = await allOperations(batch, inside);
  return `{"results":[${results.map(resultText).join()}]}`;
}

/** The error of the whole batch. */
function errorOf(batch: Batch, failed: OperationError): unknown {
  const error = explained(batch, failed);
  return error instanceof HttpError ? error.withDetails({ operation: failed.index }) : error;
}

async function runBatch(batch: Batch, inTransaction: InTransaction): Promise<string> {
  const key = requestKey.get(batch.ctx);
  const runOnce = (): Promise<string> => {
    if (!key) return inTransaction((inside) => runAll(batch, inside));
    return keyedTransaction<string>(key, (finish) =>
      inTransaction(async (inside) => {
        const results = await runAll(batch, inside);
        await finish(inside.database, results);
        return results;
      }),
    );
  };
  try {
    return await retried(runOnce);
  } catch (error) {
    throw error instanceof OperationError ? errorOf(batch, error) : error;
  }
}

export function batchHandlers({
  definition: { contentTypes: types },
  inTransaction,
  audit,
  settings: { batch: settings },
}: Pick<
  FeatureHost<{ readonly batch: BatchSettings }>,
  'definition' | 'inTransaction' | 'audit' | 'settings'
>): Handlers<IdsOf<typeof BATCH_ROUTES>> {
  const routes = batchRoutes(types);
  return {
    async batch(ctx) {
      const body = await readObject(ctx);
      const isDry = isDryRun(body);
      if (isDry) requestKey.get(ctx)?.leavesNothing();
      const operations = readOperations(body, settings.maxOperations);
      await clientOf(ctx).meter?.charge(operations.length * WRITE_COST);
      const batch = { ctx, types, routes, operations };
      ctx.body = isDry ? await dryRun(batch, inTransaction, audit) : await runBatch(batch, inTransaction);
    },
  };
}
