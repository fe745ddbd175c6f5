/** Actions: the project's own code around the generated routes of its content types. */
import type { Context, Middleware } from 'koa';
import type { Caller } from '../../contract/policy/caller.ts';
import type { ExtensionContext } from '../../entries/extension-context.ts';
import type { Awaitable } from '../../entries/hook-types.ts';

/** The query of a request as an object. What it contains is validated after the action. */
export type ActionQuery = Readonly<Record<string, unknown>>;

/** A call of a route whose permission has been checked, before anything else is. */
interface RouteCall<Entries> {
  readonly caller: Caller;
  readonly context: ExtensionContext<Entries>;
  /**
   * For headers, the status, and anything else that the other properties don't cover. Agents' tools call a route without a request to
   * it: reading `ctx` then throws ForbiddenError.
   */
  readonly ctx: Context;
}

/** What policies get. */
export interface PolicyRequest<Entries> extends RouteCall<Entries> {
  /** The name of the route, such as `article.find`. */
  readonly route: string;
}

/** What an action gets. */
export interface ActionRequest<Entries> extends RouteCall<Entries> {
  /** `filters`, `populate`, … as sent. Pass another to `next` to change what is read or answered. */
  readonly query: ActionQuery;
}

/** A request for one entry of a collection type. */
export interface KeyRequest<Entries> extends ActionRequest<Entries> {
  /** The id or, in the v5 format, the document id in the path. */
  readonly key: number | string;
}

/** A request with `data`, which is validated after the action. */
export interface DataRequest<Entries, Data> extends ActionRequest<Entries> {
  readonly data: Partial<Data>;
}

/** A request for a new entry, or for a new locale of an existing one. */
export interface NewRequest<Entries, Data> extends DataRequest<Entries, Data> {
  /** The entry to which the request adds a locale; undefined for a new entry. */
  readonly localeOf?: number | string;
}

/** A list, as it is answered. */
export interface ListResult<EntryType> {
  readonly data: readonly EntryType[];
  readonly meta: Readonly<Record<string, unknown>>;
}

/** An entry, as it is answered; null after a deletion in the v5 format. */
export interface OneResult<EntryType> {
  readonly data: EntryType | null;
  readonly meta: Readonly<Record<string, unknown>>;
}

/**
 * An action: `next` does what the route does without it, for the given request. Entries are in nested form, `{ id, attributes }`,
 * whatever the format of the response, which may also be any other JSON.
 */
export type RouteAction<Request, Result> = (
  next: (request: Request) => Promise<Result>,
  request: Request,
) => Awaitable<unknown>;

/** Decides on a request after its permission: returns false, or throws an HttpError, to refuse it. */
export type Policy<Entries> = (request: PolicyRequest<Entries>) => Awaitable<boolean | void>;

/** What applies to a route, or to all routes of a type. */
interface Guards<Entries> {
  readonly policies?: readonly Policy<Entries>[];
  /** Koa middleware around the route, after the policies. */
  readonly use?: readonly Middleware[];
}

/** An action with guards of its own. */
export interface GuardedAction<Entries, Request, Result> extends Guards<Entries> {
  readonly run?: RouteAction<Request, Result>;
}

type Wrapped<Entries, Request, Result> = RouteAction<Request, Result> | GuardedAction<Entries, Request, Result>;

/** The actions of a collection type. */
export interface CollectionActions<EntryType, CreateInput, UpdateInput, Entries = unknown> extends Guards<Entries> {
  readonly find?: Wrapped<Entries, ActionRequest<Entries>, ListResult<EntryType>>;
  readonly findOne?: Wrapped<Entries, KeyRequest<Entries>, OneResult<EntryType>>;
  readonly create?: Wrapped<Entries, NewRequest<Entries, CreateInput>, OneResult<EntryType>>;
  readonly update?: Wrapped<Entries, KeyRequest<Entries> & DataRequest<Entries, UpdateInput>, OneResult<EntryType>>;
  readonly delete?: Wrapped<Entries, KeyRequest<Entries>, OneResult<EntryType>>;
}

/** The actions of a single type. */
export interface SingleActions<EntryType, UpdateInput, Entries = unknown> extends Guards<Entries> {
  readonly find?: Wrapped<Entries, ActionRequest<Entries>, OneResult<EntryType>>;
  readonly update?: Wrapped<Entries, DataRequest<Entries, UpdateInput>, OneResult<EntryType>>;
  readonly delete?: Wrapped<Entries, ActionRequest<Entries>, OneResult<EntryType>>;
}

/** The actions of any type. */
export type AnyActions = Guards<never> & Readonly<Partial<Record<ActionName, Wrapped<never, never, never>>>>;

/** A route that actions wrap. */
export type ActionName = 'find' | 'findOne' | 'create' | 'update' | 'delete';
