/** Carries out the operations of a batch in one transaction. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from 'koa';
import type { BATCH_ROUTES } from '../../contract/routes/batch.ts';
import type { ContentTypes } from '../../contract/content-type.ts';
import { ConflictError, HttpError } from '../../contract/errors.ts';
import { UniqueViolation } from '../../database/database.ts';
import type { EntryServices } from '../../entries/create-services.ts';
import { keyedTransaction } from '../../entries/keyed-write.ts';
import type { CollectionService, SingleService } from '../../entries/service.ts';
import { StaleEntryError } from '../../entries/stale-entry.ts';
import { explainedViolation } from '../../entries/unique.ts';
import { readObject } from '../../http/body.ts';
import { clientOf } from '../../http/client.ts';
import { ifMatchOf } from '../../http/conditions.ts';
import type { CallsInTransaction, InTransaction } from '../../http/feature.ts';
import type { Handlers, IdsOf } from '../../http/mount-routes.ts';
import { callerOf } from '../../http/request.ts';
import { format, requestId, requestKey } from '../../http/state.ts';
import { NO_ENTRY } from '../../query/answer.ts';
import type { EntryRequest } from '../../query/entry-request.ts';
import { WRITE_COST } from '../../query/cost.ts';
import { parseQuery } from '../../query/parse-query-string.ts';
import { batchRoutes, type BatchRoutes, type CallResult, callRoute, type FoundRoute, routeOf } from './call-route.ts';
import { type Operation, readOperations } from './operations.ts';

/** How often a batch is tried in which an entry changes between its read and its write. */
const MAX_TRIES = 5;
/** For how long operations run before other requests get a turn, in milliseconds. */
const TIME_PER_TURN = 15;

/** An operation failed, so that nothing is done. */
class OperationError extends Error {
  readonly index: number;
  readonly route: FoundRoute | undefined;

  constructor(index: number, route: FoundRoute | undefined, cause: unknown) {
    super('an operation of a batch failed', { cause });
    this.index = index;
    this.route = route;
  }
}

interface Batch {
  readonly ctx: Context;
  readonly types: ContentTypes;
  readonly routes: BatchRoutes;
  readonly operations: readonly Operation[];
}

function requestOf({ ctx }: Batch, { method, querystring, ifMatch }: Operation): EntryRequest {
  return {
    caller: callerOf(ctx),
    requestId: requestId.get(ctx),
    query: parseQuery(querystring),
    format: format.get(ctx),
    client: clientOf(ctx),
    expected: method === 'POST' ? undefined : ifMatchOf(ctx, ifMatch),
  };
}

/** The JSON of a result: `{status, data, meta}`. */
function resultText({ status, answer, isBare }: CallResult): string {
  const { body } = answer;
  if (body === NO_ENTRY.body) return '{"status":204,"data":null,"meta":{}}';
  return isBare ? `{"status":${status},"data":${body},"meta":{}}` : `{"status":${status},${body.slice(1)}`;
}

/** The id by which later operations refer to the entry. */
function idOf({ answer }: CallResult, { format: used }: EntryRequest): number | string | undefined {
  const { id, documentId } = (answer.entry() ?? {}) as { readonly id?: number; readonly documentId?: string };
  return used?.rules === 'v5' ? documentId : id;
}

/** The services, each of which is made once. */
function remembered({ collection, single }: EntryServices): EntryServices {
  const [collections, singles] = [new Map<string, CollectionService>(), new Map<string, SingleService>()];
  const once = <S>(made: Map<string, S>, make: (uid: string) => S) => {
    return (uid: string): S => {
      const service = made.get(uid) ?? make(uid);
      made.set(uid, service);
      return service;
    };
  };
  return { collection: once(collections, collection), single: once(singles, single) };
}

/** Resolves to the JSON of the results. Throws OperationError. */
async function runAll(batch: Batch, inside: CallsInTransaction): Promise<string> {
  const calls = remembered(inside.calls);
  const references = new Map<string, number | string>();
  const results: string[] = [];
  let turn = performance.now();
  for (const [index, operation] of batch.operations.entries()) {
    let route: FoundRoute | undefined;
    try {
      const request = requestOf(batch, operation);
      route = routeOf(batch.routes, operation, references);
      const result = await callRoute(calls, batch.types, { operation, route, references }, request);
      results.push(resultText(result));
      const id = operation.id === undefined ? undefined : idOf(result, request);
      if (operation.id !== undefined && id !== undefined) references.set(operation.id, id);
    } catch (error) {
      throw new OperationError(index, route, error);
    }
    if (performance.now() - turn > TIME_PER_TURN) {
      await nextTurn();
      turn = performance.now();
    }
  }
  return `{"results":[${results.join()}]}`;
}

/** The error of the whole batch. */
function explained({ types, operations }: Batch, { index, route, cause }: OperationError): unknown {
  const { data } = (operations[index]?.body ?? {}) as { readonly data?: Readonly<Record<string, unknown>> };
  const isViolation = cause instanceof UniqueViolation && route !== undefined;
  const error = isViolation ? explainedViolation(cause, { types, type: route.type, input: data ?? {} }) : cause;
  return error instanceof HttpError ? error.withDetails({ operation: index }) : error;
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
      if (!(error.cause instanceof StaleEntryError)) throw explained(batch, error);
      if (tries === MAX_TRIES) throw new ConflictError('Other requests change the same entries', 1);
    }
  }
}

export function batchHandlers(
  types: ContentTypes,
  inTransaction: InTransaction,
  maxOperations: number,
): Handlers<IdsOf<typeof BATCH_ROUTES>> {
  const routes = batchRoutes(types);
  return {
    async batch(ctx) {
      const operations = readOperations(await readObject(ctx), maxOperations);
      await clientOf(ctx).meter?.charge(operations.length * WRITE_COST);
      ctx.body = await runBatch({ ctx, types, routes, operations }, inTransaction);
    },
  };
}
