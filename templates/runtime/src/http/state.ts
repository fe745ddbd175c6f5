/** Typed access to `ctx.state`. */
import type { Context, Middleware } from 'koa';
import type { CostMeter } from '../base/cost/meter.ts';
import type { ReadPoint } from '../base/read-point.ts';
import type { UnauthorizedError } from '../contract/errors.ts';
import type { EntryQuery } from '../query/entry-query.ts';
import type { Format } from '../query/format.ts';
import type { Caller } from '../contract/policy/caller.ts';
import type { RequestKey } from '../query/request-key.ts';
import type { EntryTags } from './entry-tags.ts';

/** One value of a request. */
export interface StateKey<T> {
  /** Undefined if it is not set. */
  get(ctx: Pick<Context, 'state'>): T | undefined;
  set(ctx: Pick<Context, 'state'>, value: T): void;
}

/** Declares a key of `ctx.state`. Features have their own; `name` is the property that the project's middleware sees. */
export function stateKey<T>(name: string): StateKey<T> {
  return {
    get: ({ state }) => state[name] as T | undefined,
    set: ({ state }, value) => {
      state[name] = value;
    },
  };
}

/**
 * Reads multipart bodies; returns `data` with the ids of the uploaded files. Throws HttpError; then nothing is stored.
 */
export type FormReader = (ctx: Context) => Promise<unknown>;

/** The id of the request, which is also sent as `X-Request-Id` and is part of each log line. */
export const requestId = stateKey<string>('requestId');

/** The id of the request's trace, if it is traced. */
export const traceId = stateKey<string>('traceId');

/** Set if the request is not logged: the page asks every second during development. */
export const unlogged = stateKey<boolean>('unlogged');

/** The caller, or why the credentials are invalid. */
export const caller = stateKey<Caller | UnauthorizedError>('caller');

/** The permission that the route requires: `article.find`. */
export const permission = stateKey<string>('permission');

/** The format of the request. */
export const format = stateKey<Format>('format');

/** The maximum size of a body, in bytes. */
export const bodyLimit = stateKey<number>('bodyLimit');

/** The body, if it was read for this route as a part of a larger one. */
export const parsedBody = stateKey<object>('parsedBody');

/** The query, if it is not in the URL of the request. */
export const parsedQuery = stateKey<EntryQuery>('parsedQuery');

/** Whether every change must have a precondition: `If-Match`, or `If-None-Match: *` when creating. */
export const requireIfMatch = stateKey<boolean>('requireIfMatch');

/** Writes and reads the ETags of entries. */
export const entryTags = stateKey<EntryTags>('entryTags');

/** Set if the server accepts multipart bodies. */
export const formReader = stateKey<FormReader>('formReader');

/** A form that was received. Its files are known to the feature that stores them. */
export interface ReceivedForm {
  readonly fields: readonly { readonly name: string; readonly value: string }[];
  /** `field`: the name of the part. */
  readonly files: readonly { readonly field: string }[];
}

/**
 * Receives the multipart body of a request, whose files count as uploads of the caller. `onFile` gets the fields before a file, and throws
 * to refuse it. Whoever calls it calls `discard` when done. Throws HttpError.
 */
export type FormReceiver = (
  ctx: Context,
  options: { readonly maxFieldSize: number; readonly onFile: (fields: ReceivedForm['fields']) => void },
) => Promise<{ readonly form: ReceivedForm; discard(): Promise<void> }>;

/** Set if the server stores files. */
export const formReceiver = stateKey<FormReceiver>('formReceiver');

/** The form, if it was received as a part of a larger request. */
export const receivedForm = stateKey<ReceivedForm>('receivedForm');

/** The ids of the files that were uploaded with the body. */
export const ownFiles = stateKey<ReadonlySet<number>>('ownFiles');

/** Set if the request may read from replicas of the database. */
export const readPoint = stateKey<ReadPoint>('readPoint');

/** Set if what the request costs is counted. */
export const costMeter = stateKey<CostMeter>('costMeter');

/** Sees the bytes of a request's body as they are read. */
export interface BodyWatch {
  update(chunk: Uint8Array): void;
  /** The body is complete. */
  end(): void;
}

/** Set if something has to see the bytes of the body. */
export const bodyWatch = stateKey<BodyWatch>('bodyWatch');

/** Carries out requests with an `Idempotency-Key` once. */
export const onceByKey = stateKey<Middleware>('onceByKey');

/** The `Idempotency-Key` of the request. */
export const requestKey = stateKey<RequestKey>('requestKey');
