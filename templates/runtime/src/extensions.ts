/** The team's own code: hooks, routes and middleware, passed to the server by `src/main.ts`. */
import type { Middleware } from 'koa';
import type Router from '@koa/router';
import type { Mailer } from './auth/mail/mailer.ts';
import type { Caller } from './policy/caller.ts';
import type { RouteServices } from './http/route-services.ts';

type Awaitable<T> = T | Promise<T>;

/**
 * Hooks of a collection type. Throw an HttpError (or any of its kinds) to refuse a request. `entries` are those of all types;
 * hooks run outside of the transaction of the request.
 */
export interface CollectionHooks<EntryType, CreateInput, UpdateInput, Entries = unknown> {
  /** Before the body is checked. May change `data`, or return what to use instead. */
  beforeCreate?(event: { data: CreateInput; caller: Caller; entries: Entries }): Awaitable<CreateInput | void>;
  /** After the transaction. */
  afterCreate?(event: { entry: EntryType; caller: Caller; entries: Entries }): Awaitable<void>;
  beforeUpdate?(event: {
    id: number;
    data: UpdateInput;
    caller: Caller;
    entries: Entries;
  }): Awaitable<UpdateInput | void>;
  afterUpdate?(event: { entry: EntryType; caller: Caller; entries: Entries }): Awaitable<void>;
  beforeDelete?(event: { id: number; caller: Caller; entries: Entries }): Awaitable<void>;
  afterDelete?(event: { entry: EntryType; caller: Caller; entries: Entries }): Awaitable<void>;
  /** On every entry that is answered, of a list or alone; returns it, changed or not. Costs a parse of the answer. */
  transform?(event: { entry: EntryType; caller: Caller; entries: Entries }): Awaitable<EntryType>;
}

/** Hooks of a single type: its first update is the creation. */
export type SingleHooks<EntryType, UpdateInput, Entries = unknown> = Omit<
  CollectionHooks<EntryType, UpdateInput, UpdateInput, Entries>,
  'beforeCreate' | 'afterCreate'
>;

/** What the team's own routes are given. */
export interface OwnServices<Entries> extends RouteServices {
  /** The entries of all types, with objects for queries and answers. */
  readonly entries: Entries;
}

/** `Hooks` maps each type to its hooks, `Entries` to its entries: generated. */
export interface Extensions<Hooks, Entries = unknown> {
  readonly hooks?: { readonly [Uid in keyof Hooks]?: Hooks[Uid] };
  /** Routes beside the generated ones. They are matched first, so they may also replace one. */
  routes?(router: Router, services: OwnServices<Entries>): void;
  /** Sends mail in place of SMTP. */
  readonly mailer?: Mailer;
  /** Around every request, in order, inside of error handling and logging. */
  readonly middleware?: readonly Middleware[];
}
