/** A request for entries, whoever makes it. */
import type { Client } from '../base/client.ts';
import type { Caller } from '../contract/policy/caller.ts';
import type { EntryQuery } from './entry-query.ts';
import type { Format } from './format.ts';

/** Whether a request follows the rules of the v5 format. */
export function isDocumentRequest({ format }: EntryRequest): boolean {
  return format?.rules === 'v5';
}

/** Who asks, and in which request. */
export interface Asker {
  readonly caller: Caller;
  /** As the log has it; undefined for what no request has caused. */
  readonly requestId?: string | undefined;
}

/** Who asks, and for what. */
export interface EntryRequest extends Asker {
  readonly query: EntryQuery;
  /** Undefined: that of the server's own code, v4. */
  readonly format?: Format | undefined;
  /** Who waits for the answer; undefined for calls of the server's own code. */
  readonly client?: Client | undefined;
  /** Ids of the files that came with the request: its caller may name them, whoever else may not. */
  readonly ownFiles?: ReadonlySet<number> | undefined;
  /** The tags of answers that whoever asks has already, without quotes: a read may answer that nothing has changed. */
  readonly knownTags?: readonly string[] | undefined;
  /** Which versions of the entry a write is meant for, of what it changes. */
  readonly expected?: Expected | undefined;
}

/** What a write expects to find. */
export interface Expected {
  /** The versions that the entry may have; `any`: there must be one. */
  readonly match?: 'any' | readonly number[];
  /** Those that it must not have; `any`: there must be none. */
  readonly noneMatch?: 'any' | readonly number[];
}
