/** What travels with a request: the one place that reads and writes `ctx.state`, with the type of each value. */
import type { Context } from 'koa';
import type { UnauthorizedError } from '../contract/errors.ts';
import type { Caller } from '../contract/policy/caller.ts';

/** One value of a request. */
export interface StateKey<T> {
  /** Undefined where nothing has been set. */
  get(ctx: Pick<Context, 'state'>): T | undefined;
  set(ctx: Pick<Context, 'state'>, value: T): void;
}

/** A key of `ctx.state`. Features declare their own; `name` is what middleware of a team sees it under. */
export function stateKey<T>(name: string): StateKey<T> {
  return {
    get: ({ state }) => state[name] as T | undefined,
    set: ({ state }, value) => {
      state[name] = value;
    },
  };
}

/** Reads multipart bodies: the `data`, with the ids of the files that came along. Throws HttpError; then nothing is stored. */
export type FormReader = (ctx: Context) => Promise<unknown>;

/** Also in the header `X-Request-Id`, and in each line of the log. */
export const requestId = stateKey<string>('requestId');

/** Who calls, or why their credentials are not valid. */
export const caller = stateKey<Caller | UnauthorizedError>('caller');

/** The permission that the route asked the policy for: `article.find`. */
export const permission = stateKey<string>('permission');

/** Of a body, in bytes. */
export const bodyLimit = stateKey<number>('bodyLimit');

/** Set where the server takes forms. */
export const formReader = stateKey<FormReader>('formReader');

/** The ids of the files that came with the body. */
export const ownFiles = stateKey<ReadonlySet<number>>('ownFiles');
