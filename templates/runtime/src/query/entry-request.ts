/** A request for entries, from HTTP or from code. */
import type { Client } from '../base/client.ts';
import type { Caller } from '../contract/policy/caller.ts';
import type { Subject } from '../database/write-plan.ts';
import type { EntryQuery } from './entry-query.ts';
import type { Format } from './format.ts';
import type { RequestKey } from './request-key.ts';

/** Whether a request follows the rules of the v5 format. */
export function isDocumentRequest({ format }: Pick<EntryRequest, 'format'>): boolean {
  return format?.rules === 'v5';
}

/** Who calls, and in which request. */
export interface CallContext {
  readonly caller: Caller;
  /** The id under which the request is logged; undefined outside of a request. */
  readonly requestId?: string | undefined;
  /** Set if the request may be repeated: its write is done once. */
  readonly key?: RequestKey | undefined;
}

/** A caller and its query. */
export interface EntryRequest extends CallContext {
  readonly query: EntryQuery;
  /** Undefined means v4, the format of the server's own code. */
  readonly format?: Format | undefined;
  /** The client waiting for the response; undefined for calls by the server's own code. */
  readonly client?: Client | undefined;
  /** Ids of files uploaded with this request: its caller may refer to them even without the permission for files. */
  readonly ownFiles?: ReadonlySet<number> | undefined;
  /** Whether the client already has an answer: a read may then say that nothing has changed. */
  readonly isKnown?: ((answer: { readonly version: number | undefined; readonly tag: string }) => boolean) | undefined;
  /** Why the entry gets other content, if not because the request names it. */
  readonly cause?: Subject['cause'];
  /** Preconditions on the version of the entry, for requests that change it. */
  readonly expected?: Preconditions | undefined;
}

/** Preconditions of a write, as in If-Match and If-None-Match. */
export interface Preconditions {
  /** The versions that the entry may have; `any`: it must exist. */
  readonly match?: 'any' | readonly number[];
  /** The versions that the entry must not have; `any`: it must not exist. */
  readonly noneMatch?: 'any' | readonly number[];
}
