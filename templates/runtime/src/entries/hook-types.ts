/** The types of hooks on the entries of one content type. */
import type { Entry, HookData } from '../contract/entry.ts';
import type { Caller } from '../contract/policy/caller.ts';
import type { ExtensionContext, TransactionContext } from './extension-context.ts';
import type { Filters } from './typed/filter-types.ts';

export type Awaitable<T> = T | Promise<T>;

/** The attributes of an entry, for its filters. */
type AttributesOf<EntryType> = EntryType extends { readonly attributes: infer T } ? T : never;

/** The event of all hooks. */
export interface HookEvent<Entries> {
  readonly caller: Caller;
  readonly context: ExtensionContext<Entries>;
}

/** The event of hooks in the transaction of a write: what its context writes is committed or rolled back with it. */
export interface WrittenEvent<EntryType, Entries> {
  readonly caller: Caller;
  readonly context: TransactionContext<Entries>;
  /** The entry with all its fields, whatever the request selects; nothing is populated. */
  readonly entry: EntryType;
}

/** The event of an update. */
export interface UpdatedEvent<EntryType, Entries> extends WrittenEvent<EntryType, Entries> {
  /** The entry as it was; undefined if there was none, as before the first write of a single type. */
  readonly before: EntryType | undefined;
}

/** The event after a write's commit. */
export interface CommittedEvent<EntryType, Entries> extends HookEvent<Entries> {
  readonly action: 'create' | 'update' | 'delete';
  /** A deleted entry as it was. */
  readonly entry: EntryType;
  /** The entry as it was, if it was updated. */
  readonly before?: EntryType | undefined;
}

/**
 * Hooks of a collection type. To refuse a request, throw an HttpError, or a subclass of it, in a hook that runs before the
 * commit. `ServerOnly` are the attributes with `writable: false`, which requests can't set but hooks can; `Own` is the entry with its
 * private attributes.
 */
export interface CollectionHooks<
  EntryType,
  CreateInput,
  UpdateInput,
  Entries = unknown,
  ServerOnly = unknown,
  Own = EntryType,
> {
  /**
   * Returns filters for the entries that this caller may see: in lists and counts, by id, when populated, and in filters and sort
   * keys through relations. Hidden entries can't be changed, deleted, translated or related to either, and stay in lists that are
   * set without them. The filters apply neither to the server's own queries nor to what this hook reads.
   */
  beforeFind?(event: HookEvent<Entries>): Awaitable<Filters<AttributesOf<Own>> | undefined | void>;
  /**
   * Receives validated and cast data, with relations as `RelationChanges`: a request that fails validation never gets here. May change `data`, or return values to
   * merge over it. The result is validated again. For relations that the hook adds, the caller needs no permission; those in the
   * request are still checked against the caller's permissions. Runs before the transaction. Also called for a new locale of an
   * entry: `localeOf` is then the id of the entry that gets the locale.
   */
  beforeCreate?(
    event: HookEvent<Entries> & {
      readonly data: HookData<CreateInput & ServerOnly>;
      readonly localeOf?: number | undefined;
    },
  ): Awaitable<Partial<CreateInput & ServerOnly> | void>;
  /**
   * Runs in the transaction: if it throws, everything is rolled back and the request is refused. May run again after a deadlock.
   */
  afterCreate?(event: WrittenEvent<Own, Entries>): Awaitable<void>;
  /**
   * Like `beforeCreate`. For an upload that attaches files to the entry, `data` is empty, and the returned value has no effect.
   * Also called where a request changes a relation of the entry from its other side, or deletes what it refers to: `data` then has
   * that relation as `{ connect: [id], disconnect: [id] }` (a new entry has no id yet), which the hook may refuse but not change.
   * When a locale's change of a shared attribute also changes other locales, the hooks run only for the locale in the request.
   */
  beforeUpdate?(
    event: HookEvent<Entries> & { readonly id: number; readonly data: HookData<UpdateInput & ServerOnly> },
  ): Awaitable<Partial<UpdateInput & ServerOnly> | void>;
  /** Like `afterCreate`. */
  afterUpdate?(event: UpdatedEvent<Own, Entries>): Awaitable<void>;
  /** Runs before the transaction. */
  beforeDelete?(event: HookEvent<Entries> & { readonly id: number }): Awaitable<void>;
  /** Like `afterCreate`, with the entry as it was. */
  afterDelete?(event: WrittenEvent<Own, Entries>): Awaitable<void>;
  /** Runs after the commit, for things such as mail and caches. What it throws is logged, but does not affect the response. */
  committed?(event: CommittedEvent<Own, Entries>): Awaitable<void>;
  /** Called for each entry of a response; returns the entry, changed or not. Costs parsing the response. */
  transform?(event: HookEvent<Entries> & { readonly entry: EntryType }): Awaitable<EntryType>;
}

/** Hooks of a single type: its first update creates the entry. */
export interface SingleHooks<
  EntryType,
  UpdateInput,
  Entries = unknown,
  ServerOnly = unknown,
  Own = EntryType,
> extends Omit<
  CollectionHooks<EntryType, UpdateInput, UpdateInput, Entries, ServerOnly, Own>,
  'beforeCreate' | 'afterCreate' | 'beforeUpdate'
> {
  /** Like that of collection types. `id` is undefined if there is no entry yet, in this locale. */
  beforeUpdate?(
    event: HookEvent<Entries> & { readonly id: number | undefined; readonly data: HookData<UpdateInput & ServerOnly> },
  ): Awaitable<Partial<UpdateInput & ServerOnly> | void>;
}

type Data = Readonly<Record<string, unknown>>;

/** An entry of any type. */
type AnyEntry = Entry<Data>;

/** What the event of a hook of all types has in addition. */
interface OfType {
  /** The type of the entry, such as `article`, `user` or `file`. */
  readonly type: string;
}

/** Hooks of all types, as those of collection types. They run before the hooks of the type itself. */
export interface EveryTypeHooks<Entries = unknown> {
  beforeFind?(event: HookEvent<Entries> & OfType): Awaitable<object | undefined | void>;
  beforeCreate?(
    event: HookEvent<Entries> &
      OfType & { readonly data: Record<string, unknown>; readonly localeOf?: number | undefined },
  ): Awaitable<Data | void>;
  afterCreate?(event: WrittenEvent<AnyEntry, Entries> & OfType): Awaitable<void>;
  beforeUpdate?(
    event: HookEvent<Entries> & OfType & { readonly id: number | undefined; readonly data: Record<string, unknown> },
  ): Awaitable<Data | void>;
  afterUpdate?(event: UpdatedEvent<AnyEntry, Entries> & OfType): Awaitable<void>;
  beforeDelete?(event: HookEvent<Entries> & OfType & { readonly id: number }): Awaitable<void>;
  afterDelete?(event: WrittenEvent<AnyEntry, Entries> & OfType): Awaitable<void>;
  committed?(event: CommittedEvent<AnyEntry, Entries> & OfType): Awaitable<void>;
  transform?(event: HookEvent<Entries> & OfType & { readonly entry: AnyEntry }): Awaitable<AnyEntry>;
}
