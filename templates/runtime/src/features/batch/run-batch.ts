/** Carries out the operations of a batch in one transaction. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BATCH_ROUTES } from '../../contract/routes/batch.ts';
import { ConflictError, HttpError } from '../../contract/errors.ts';
import { keyedTransaction } from '../../entries/keyed-write.ts';
import { StaleEntryError } from '../../entries/stale-entry.ts';
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
import { type Batch, explained, MAX_TRIES, OperationError, operationsOf, TIME_PER_TURN } from './run-operation.ts';

/** The JSON of a result: `{status, data, meta}`. */
function resultText({ status, answer, isBare }: CallResult): string {
  const { body } = answer;
  if (body === NO_ENTRY.body) return '{"status":204,"data":null,"meta":{}}';
  return isBare ? `{"status":${status},"data":${body},"meta":{}}` : `{"status":${status},${body.slice(1)}`;
}

/** Resolves to the JSON of the results. Throws OperationError. */
async function runAll(batch: Batch, inside: CallsInTransaction): Promise<string> {
  const run = operationsOf(batch, inside.calls);
  const results: string[] = [];
  let turn = performance.now();
  for (const [index, operation] of batch.operations.entries()) {
    results.push(resultText(await run(index, operation)));
    if (performance.now() - turn > TIME_PER_TURN) {
      await nextTurn();
      turn = performance.now();
    }
  }
  return `{"results":[${results.join()}]}`;
}

/** The error of the whole batch. */
function errorOf(batch: Batch, failed: OperationError): unknown {
  const error = explained(batch, failed);
  return error instanceof HttpError ? error.withDetails({ operation: failed.index }) : error;
}

async function runBatch(batch: Batch, inTransaction: InTransaction): Promise<string> {
  const key = requestKey.get(batch.ctx);
  for (let tries = 1; ; tries += 1) {
    try {
      if (!key) return await inTransaction((inside) => runAll(batch, inside));
      return await keyedTransaction<string>(key, (finish) =>
        inTransaction(async (inside) => {
          const results = await runAll(batch, inside);
          await finish(inside.database, results);
          return results;
        }),
      );
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      if (!(error.cause instanceof StaleEntryError)) throw errorOf(batch, error);
      if (tries === MAX_TRIES) throw new ConflictError('Other requests change the same entries', 1);
    }
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
