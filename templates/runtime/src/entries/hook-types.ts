/** The hooks of the entries of one type, as the team writes them. */
import type { Caller } from '../contract/policy/caller.ts';
import type { ExtensionContext, TransactionContext } from './extension-context.ts';
import type { Filters } from './typed/filter-types.ts';

export type Awaitable<T> = T | Promise<T>;

/** The attributes of an entry, for its filters. */
type AttributesOf<EntryType> = EntryType extends { readonly attributes: infer T } ? T : never;

/** What hooks of every kind are told. */
export interface HookEvent<Entries> {
  readonly caller: Caller;
  readonly context: ExtensionContext<Entries>;
}

/** In the transaction of a write: what its context writes is kept with it, or nothing is. */
export interface WrittenEvent<EntryType, Entries> {
  readonly caller: Caller;
  readonly context: TransactionContext<Entries>;
  /** With all its fields, whatever the request asked for; nothing is populated. */
  readonly entry: EntryType;
}

/** Once a write is committed. */
export interface CommittedEvent<EntryType, Entries> extends HookEvent<Entries> {
  readonly action: 'create' | 'update' | 'delete';
  readonly entry: EntryType;
}

/**
 * Hooks of a collection type. To refuse a request, throw an HttpError (or any of its kinds) before it is committed.
 * `ServerOnly` are the attributes with `writable: false`, which no request brings and hooks may set.
 */
export interface CollectionHooks<EntryType, CreateInput, UpdateInput, Entries = unknown, ServerOnly = unknown> {
  /**
   * Returns filters that entries have to meet to be there for this caller: in lists, counts and by their id, populated, and in
   * filters and sort keys through relations. An entry that is not there can't be changed, deleted or translated either. What may be
   * related is not narrowed: that is for before-hooks to refuse. The server's own queries never are, nor what this hook reads.
   */
  beforeFind?(event: HookEvent<Entries>): Awaitable<Filters<AttributesOf<EntryType>> | undefined | void>;
  /**
   * Gets what was checked and cast: a request that fails its checks never comes here. May change `data`, or return what to lay
   * over it. That is checked again, as the server's own: the caller needs no right to what a hook relates. What the request itself
   * relates keeps being checked by the rights of its caller. Runs before the transaction. A new locale of an entry is created too:
   * `localeOf` is the id of the one that it is added to.
   */
  beforeCreate?(
    event: HookEvent<Entries> & { readonly data: CreateInput & ServerOnly; readonly localeOf?: number | undefined },
  ): Awaitable<Partial<CreateInput & ServerOnly> | void>;
  /** In the transaction: a throw undoes everything, and refuses the request. May run again after a deadlock. */
  afterCreate?(event: WrittenEvent<EntryType, Entries>): Awaitable<void>;
  /**
   * As `beforeCreate`. Of an upload that attaches files to the entry, `data` is empty, and what is returned has no effect. Where
   * locales share an attribute, a change of one of them calls the hooks for that one.
   */
  beforeUpdate?(
    event: HookEvent<Entries> & { readonly id: number; readonly data: UpdateInput & ServerOnly },
  ): Awaitable<Partial<UpdateInput & ServerOnly> | void>;
  /** As `afterCreate`. */
  afterUpdate?(event: WrittenEvent<EntryType, Entries>): Awaitable<void>;
  /** Before the transaction. */
  beforeDelete?(event: HookEvent<Entries> & { readonly id: number }): Awaitable<void>;
  /** As `afterCreate`, with the entry as it was. */
  afterDelete?(event: WrittenEvent<EntryType, Entries>): Awaitable<void>;
  /** For mail and caches. What it throws is logged, and never answered. */
  committed?(event: CommittedEvent<EntryType, Entries>): Awaitable<void>;
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
