/** Carries out the operations of a batch, one after the other. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from 'koa';
import { onceForEach } from '../../base/once-for-each.ts';
import type { ContentTypes } from '../../contract/content-type.ts';
import { ConflictError, HttpError } from '../../contract/errors.ts';
import { UniqueViolation } from '../../database/database.ts';
import type { EntryServices } from '../../entries/create-services.ts';
import { StaleEntryError } from '../../entries/stale-entry.ts';
import { explainedViolation } from '../../entries/unique.ts';
import { clientOf } from '../../http/client.ts';
import { ifMatchOf } from '../../http/conditions.ts';
import { callerOf } from '../../http/request.ts';
import { format, requestId } from '../../http/state.ts';
import type { EntryRequest } from '../../query/entry-request.ts';
import { parseQuery } from '../../query/parse-query-string.ts';
import { type BatchRoutes, type CallResult, callRoute, type FoundRoute, routeOf } from './call-route.ts';
import type { Operation } from './operations.ts';

/** How often a batch is tried in which an entry changes between its read and its write. */
const MAX_TRIES = 5;
/** For how long operations run before other requests get a turn, in milliseconds. */
const TIME_PER_TURN = 15;

export interface Batch {
  readonly ctx: Context;
  readonly types: ContentTypes;
  readonly routes: BatchRoutes;
  readonly operations: readonly Operation[];
}

/** An operation failed: `cause` is why. */
export class OperationError extends Error {
  readonly index: number;
  readonly route: FoundRoute | undefined;

  constructor(index: number, route: FoundRoute | undefined, cause: unknown) {
    super('an operation of a batch failed', { cause });
    this.index = index;
    this.route = route;
  }
}

/** The error of an operation with a message for people. */
export function explained({ types, operations }: Batch, { index, route, cause }: OperationError): unknown {
  const { data } = (operations[index]?.body ?? {}) as { readonly data?: Readonly<Record<string, unknown>> };
  const isViolation = cause instanceof UniqueViolation && route !== undefined;
  return isViolation ? explainedViolation(cause, { types, type: route.type, input: data ?? {} }) : cause;
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

/** The id by which later operations refer to the entry. */
function idOf({ answer }: CallResult, { format: used }: EntryRequest): number | string | undefined {
  const { id, documentId } = (answer.entry() ?? {}) as { readonly id?: number; readonly documentId?: string };
  return used?.rules === 'v5' ? documentId : id;
}

/** Returns a function that carries out the operation at a position. It throws OperationError. */
function operationsOf(batch: Batch, services: EntryServices) {
  const calls = {
    collection: onceForEach((uid) => services.collection(uid)),
    single: onceForEach((uid) => services.single(uid)),
  };
  const references = new Map<string, number | string | null>();
  return async (index: number, operation: Operation): Promise<CallResult> => {
    let route: FoundRoute | undefined;
    try {
      const request = requestOf(batch, operation);
      route = routeOf(batch.routes, operation, references);
      const result = await callRoute(calls, batch.types, { operation, route, references }, request);
      const id = operation.id === undefined ? undefined : idOf(result, request);
      if (operation.id !== undefined && id !== undefined) references.set(operation.id, id);
      return result;
    } catch (error) {
      if (operation.id !== undefined) references.set(operation.id, null);
      throw new OperationError(index, route, error);
    }
  };
}

/** Carries out all operations, each by `step`. Other requests get a turn in between. */
export async function eachOperation(
  batch: Batch,
  services: EntryServices,
  step: (run: () => Promise<CallResult>) => Promise<void>,
): Promise<void> {
  const run = operationsOf(batch, services);
  let turn = performance.now();
  for (const [index, operation] of batch.operations.entries()) {
    await step(() => run(index, operation));
    if (performance.now() - turn > TIME_PER_TURN) {
      await nextTurn();
      turn = performance.now();
    }
  }
}

/** Runs `work` again while an entry changes between its read and its write. */
export async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const isStale = error instanceof OperationError && error.cause instanceof StaleEntryError;
      if (!isStale) throw error;
      if (tries === MAX_TRIES) throw new ConflictError('Other requests change the same entries', 1);
    }
  }
}

/** Whether an operation is refused for a reason that its sender can change, and that others of the batch don't share. */
export function isRefusal(error: unknown): error is HttpError {
  return error instanceof HttpError && error.status < 500;
}
