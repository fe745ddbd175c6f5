/** `entries` without the types of a project. */
import type { Caller } from '../../contract/policy/caller.ts';

/** A query as an object, for any type. */
export type AnyQuery = Readonly<Record<string, unknown>>;

/** The id of an entry, or its document id. */
export type Key = number | string;

export interface AnyCollection {
  /** `by` is what version 0.1.0 took, and is refused. */
  find(query?: AnyQuery, by?: unknown): Promise<unknown>;
  count(query?: AnyQuery): Promise<number>;
  exists(query?: AnyQuery): Promise<boolean>;
  stream(query?: AnyQuery): AsyncIterable<unknown>;
  findOne(key: Key, query?: AnyQuery): Promise<unknown>;
  create(data: unknown, query?: AnyQuery): Promise<unknown>;
  update(key: Key, data: unknown, query?: AnyQuery): Promise<unknown>;
  delete(key: Key, query?: AnyQuery): Promise<unknown>;
  createMany(all: readonly unknown[], query?: AnyQuery): Promise<readonly number[]>;
  updateMany(query: AnyQuery, data: unknown): Promise<number>;
  deleteMany(query: AnyQuery): Promise<number>;
  /** These three are for types with drafts; others have no such entry. */
  publish(key: Key, query?: AnyQuery): Promise<unknown>;
  unpublish(key: Key, query?: AnyQuery): Promise<unknown>;
  discardDraft(key: Key, query?: AnyQuery): Promise<unknown>;
  /** These four are for types with a history. */
  versions(key: Key, query?: AnyQuery): Promise<unknown>;
  version(key: Key, version: number, query?: AnyQuery): Promise<unknown>;
  differences(key: Key, from: number, to: number, query?: AnyQuery): Promise<unknown>;
  restore(key: Key, version: number, query?: AnyQuery): Promise<unknown>;
}

export interface AnySingle {
  find(query?: AnyQuery): Promise<unknown>;
  save(data: unknown, query?: AnyQuery): Promise<unknown>;
  delete(query?: AnyQuery): Promise<unknown>;
  publish(query?: AnyQuery): Promise<unknown>;
  unpublish(query?: AnyQuery): Promise<unknown>;
  discardDraft(query?: AnyQuery): Promise<unknown>;
  versions(query?: AnyQuery): Promise<unknown>;
  version(version: number, query?: AnyQuery): Promise<unknown>;
  differences(from: number, to: number, query?: AnyQuery): Promise<unknown>;
  restore(version: number, query?: AnyQuery): Promise<unknown>;
}

/** The entries of all types, by uid: the untyped form of the generated `Entries`. */
export type AnyEntries = Readonly<Record<string, AnyCollection | AnySingle>> & { as(caller: Caller): AnyEntries };
