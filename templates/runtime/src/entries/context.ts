/** What the entries of every type share. */
import type { ContentType, ContentTypes } from '../content-type.ts';
import type { Database } from '../database/database.ts';
import type { Reader } from '../query/reader.ts';
import type { EntryValidators } from '../validators/index.ts';
import type { TypeHooks } from './hooks.ts';

export interface EntryContext {
  readonly database: Database;
  readonly types: ContentTypes;
  readonly reader: Reader;
}

/** One content type with what is particular to it. */
export interface TypeContext extends EntryContext {
  readonly type: ContentType;
  readonly validators: EntryValidators;
  readonly hooks: TypeHooks | undefined;
}

/** Checked values by attribute: canonical scalars, relation changes; `publishedAt` and `locale` where the type has them. */
export type EntryInput = Readonly<Record<string, unknown>>;

/** An entry that exists. */
export interface StoredEntry {
  readonly id: number;
  /** Null for drafts, and for types without drafts. */
  readonly publishedAt: string | null;
}
