/** What the entries of every type share. */
import type { ContentType, ContentTypes } from '../contract/content-type.ts';
import type { Database } from '../database/database.ts';
import type { Caller } from '../contract/policy/caller.ts';
import type { EntryRequest } from '../query/entry-request.ts';
import type { CheckedQuery, Reader } from '../query/reader.ts';
import type { EntryValidators } from '../content/validators/index.ts';
import type { NotWritable } from '../content/validators/field.ts';
import type { Trust } from '../content/relations/check-targets.ts';
import type { TypeHooks } from './hooks.ts';

interface EntryContext {
  readonly database: Database;
  readonly types: ContentTypes;
  readonly reader: Reader;
}

/** Does what is to be done once a write is committed: at once, or where that is a part of a transaction, after it. */
export type AfterCommit = (work: () => Promise<void>) => Promise<void>;

/** A type with the hooks around its writes. */
export interface HookedType {
  readonly type: ContentType;
  readonly reader: Reader;
  readonly hooks: TypeHooks | undefined;
  /** The server itself, which may do everything. */
  readonly server: Caller;
  readonly afterCommit: AfterCommit;
}

/** One content type with what is particular to it. */
export interface TypeContext extends EntryContext, HookedType {
  /** Loads them, where nothing has needed them yet. */
  validators(): Promise<EntryValidators>;
}

/** A request that writes: the data after the hooks, who asks, and what to answer. */
export interface WriteRequest extends Omit<EntryRequest, 'query'> {
  readonly data: unknown;
  readonly checked: CheckedQuery;
  /** What becomes of attributes that no body may set; undefined: as `caller` is the server or not. */
  readonly notWritable?: NotWritable | undefined;
  /** What a hook has added: undefined where none has run. */
  readonly trusts?: Trust | undefined;
}

/**
 * Checked values by attribute: canonical scalars, relation changes; `publishedAt` where the type has drafts; of new entries
 * of localized types also `locale` and, if it is a locale of an entry that exists, `documentId`.
 */
export type EntryInput = Readonly<Record<string, unknown>>;

/** What the locales of one entry have in common. */
export interface Localization {
  readonly documentId: string;
  readonly locale: string;
  /** Whether another locale of the entry is published. */
  readonly othersPublished: boolean;
}

/** An entry that exists. */
export interface StoredEntry {
  readonly id: number;
  /** Undefined where it was not looked up. */
  readonly version: number | undefined;
  /** Always, where the type has no drafts. */
  readonly published: boolean;
  /** Undefined where the type is not localized. */
  readonly localization: Localization | undefined;
}
