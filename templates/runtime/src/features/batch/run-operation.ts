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
import type { CallsInTransaction } from '../../http/feature.ts';
import { callerOf } from '../../http/request.ts';
import { format, requestId } from '../../http/state.ts';
import type { EntryRequest } from '../../query/entry-request.ts';
import { parseQuery } from '../../query/parse-query-string.ts';
import {
  type BatchRoutes,
  type CallResult,
  callRoute,
  type FoundRoute,
  newData,
  routeOf,
  togetherBy,
} from './call-route.ts';
import type { Operation } from './operations.ts';

/** How often a batch is tried in which an entry changes between its read and its write. */
const MAX_TRIES = 5;
/** How many creates are done together. */
const MOST_TOGETHER = 100;
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

/** Carries out operations, each with the ids of those before it. Its functions throw OperationError. */
function operationsOf(batch: Batch, services: EntryServices) {
  const { routes, types } = batch;
  const calls = {
    collection: onceForEach((uid) => services.collection(uid)),
    single: onceForEach((uid) => services.single(uid)),
  };
  const references = new Map<string, number | string | null>();
  const note = ({ id: name }: Operation, result: CallResult, request: EntryRequest): void => {
    const id = name === undefined ? undefined : idOf(result, request);
    if (name !== undefined && id !== undefined) references.set(name, id);
  };

  async function one(index: number, operation: Operation): Promise<CallResult> {
    let route: FoundRoute | undefined;
    try {
      const request = requestOf(batch, operation);
      route = routeOf(routes, operation, references);
      const result = await callRoute(calls, types, { operation, route, references }, request);
      note(operation, result, request);
      return result;
    } catch (error) {
      if (operation.id !== undefined) references.set(operation.id, null);
      throw new OperationError(index, route, error);
    }
  }

  /** Undefined if nothing was done: they have to be carried out one after the other, which tells what is wrong with which. */
  async function together({ from, operations }: Group, attempt: Attempt): Promise<readonly CallResult[] | undefined> {
    const [first] = operations;
    if (!first || operations.length === 1) return undefined;
    let route: FoundRoute | undefined;
    try {
      const request = requestOf(batch, first);
      route = routeOf(routes, first, references);
      const create = togetherBy(calls, route);
      if (!create) return undefined;
      const data = newData(types, route, operations, references);
      const answers = await attempt(() => create(data, request));
      const results = answers.map((answer): CallResult => ({ status: 201, answer, isBare: false }));
      for (const [index, result] of results.entries()) note(operations[index] ?? first, result, request);
      return results;
    } catch (error) {
      if (isRefusal(error) || error instanceof UniqueViolation) return undefined;
      throw new OperationError(from, route, error);
    }
  }

  return { one, together };
}

/** Operations that follow each other. */
interface Group {
  /** The index of the first. */
  readonly from: number;
  readonly operations: readonly Operation[];
}

type Attempt = CallsInTransaction['attempt'];

/** Groups those that may be creates with one query. */
function groupsOf(operations: readonly Operation[]): readonly Group[] {
  const groups: { readonly from: number; readonly operations: Operation[] }[] = [];
  for (const [index, operation] of operations.entries()) {
    const group = groups.at(-1)?.operations ?? [];
    const [first] = group;
    const isLike =
      operation.method === 'POST' && operation.path === first?.path && operation.querystring === first.querystring;
    if (isLike && group.length < MOST_TOGETHER) group.push(operation);
    else groups.push({ from: index, operations: [operation] });
  }
  return groups;
}

/** Returns a function that gives other requests a turn, if it is their time. */
function turnsOfOthers(): () => Promise<void> {
  let turn = performance.now();
  return async () => {
    if (performance.now() - turn <= TIME_PER_TURN) return;
    await nextTurn();
    turn = performance.now();
  };
}

/** Carries out all operations in order, creates that follow each other together. */
export async function allOperations(
  batch: Batch,
  { calls, attempt }: Pick<CallsInTransaction, 'calls' | 'attempt'>,
): Promise<readonly CallResult[]> {
  const { one, together } = operationsOf(batch, calls);
  const others = turnsOfOthers();
  const results: CallResult[] = [];
  for (const group of groupsOf(batch.operations)) {
    const done = await together(group, attempt);
    if (done) results.push(...done);
    else {
      for (const [index, operation] of group.operations.entries()) {
        results.push(await one(group.from + index, operation));
        await others();
      }
    }
    await others();
  }
  return results;
}

/** Carries out each operation by `step`. */
export async function eachOperation(
  batch: Batch,
  services: EntryServices,
  step: (run: () => Promise<CallResult>) => Promise<void>,
): Promise<void> {
  const { one } = operationsOf(batch, services);
  const others = turnsOfOthers();
  for (const [index, operation] of batch.operations.entries()) {
    await step(() => one(index, operation));
    await others();
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
