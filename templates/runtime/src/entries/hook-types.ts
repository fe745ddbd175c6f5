/** The hooks of the entries of one type, as the team writes them. */
import type { Caller } from '../contract/policy/caller.ts';

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
