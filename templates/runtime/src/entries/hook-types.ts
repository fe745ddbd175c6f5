/** The hooks of the entries of one type, as the team writes them. */
import type { Caller } from '../contract/policy/caller.ts';

type Awaitable<T> = T | Promise<T>;

/** What hooks of every kind are told. `entries` are those of all types. */
interface HookEvent<Entries> {
  readonly caller: Caller;
  readonly entries: Entries;
}

/** In the transaction of the write: what `entries` write is kept with it, or nothing is. */
interface WrittenEvent<EntryType, Entries> extends HookEvent<Entries> {
  /** With all its fields, whatever the request asked for; nothing is populated. */
  readonly entry: EntryType;
}

/**
 * Hooks of a collection type. To refuse a request, throw an HttpError (or any of its kinds) before it is committed.
 * `ServerOnly` are the attributes with `writable: false`, which no request brings and hooks may set.
 */
export interface CollectionHooks<EntryType, CreateInput, UpdateInput, Entries = unknown, ServerOnly = unknown> {
  /**
   * Gets what was checked and cast: a request that fails its checks never comes here. May change `data`, or return what to lay
   * over it. That is checked again, as the server's own: the caller needs no right to what a hook relates. What the request itself
   * relates keeps being checked by the rights of its caller. Runs before the transaction. A new locale of an entry is created too.
   */
  beforeCreate?(
    event: HookEvent<Entries> & { readonly data: CreateInput & ServerOnly },
  ): Awaitable<Partial<CreateInput & ServerOnly> | void>;
  /** In the transaction: a throw undoes everything, and refuses the request. May run again after a deadlock. */
  afterCreate?(event: WrittenEvent<EntryType, Entries>): Awaitable<void>;
  /** As `beforeCreate`. */
  beforeUpdate?(
    event: HookEvent<Entries> & { readonly id: number; readonly data: UpdateInput & ServerOnly },
  ): Awaitable<Partial<UpdateInput & ServerOnly> | void>;
  /** As `afterCreate`. */
  afterUpdate?(event: WrittenEvent<EntryType, Entries>): Awaitable<void>;
  /** Before the transaction. */
  beforeDelete?(event: HookEvent<Entries> & { readonly id: number }): Awaitable<void>;
  /** As `afterCreate`, with the entry as it was. */
  afterDelete?(event: WrittenEvent<EntryType, Entries>): Awaitable<void>;
  /** Once a write is committed: for mail and caches. What it throws is logged, and never answered. */
  committed?(
    event: HookEvent<Entries> & { readonly action: 'create' | 'update' | 'delete'; readonly entry: EntryType },
  ): Awaitable<void>;
  /** On every entry that is answered, of a list or alone; returns it, changed or not. Costs a parse of the answer. */
  transform?(event: HookEvent<Entries> & { readonly entry: EntryType }): Awaitable<EntryType>;
}

/** Hooks of a single type: its first update is the creation. */
export interface SingleHooks<EntryType, UpdateInput, Entries = unknown, ServerOnly = unknown> extends Omit<
  CollectionHooks<EntryType, UpdateInput, UpdateInput, Entries, ServerOnly>,
  'beforeCreate' | 'afterCreate' | 'beforeUpdate'
> {
  /** As that of collection types. `id` is undefined where there is no entry yet, in this locale. */
  beforeUpdate?(
    event: HookEvent<Entries> & { readonly id: number | undefined; readonly data: UpdateInput & ServerOnly },
  ): Awaitable<Partial<UpdateInput & ServerOnly> | void>;
}
