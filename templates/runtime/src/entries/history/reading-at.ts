/** A read as of a time: which types it may ask, and which of their entries the caller finds now. */
import type { ContentType } from '../../contract/content-type.ts';
import { BadRequestError } from '../../contract/errors.ts';
import type { Executor } from '../../database/executor.ts';
import type { RelatedSource } from '../../query/assembled-entry.ts';
import type { EntryRequest } from '../../query/entry-request.ts';
import type { VisibleEntries } from '../../query/read-query.ts';
import type { Selected } from '../../query/selected-entries.ts';
import type { TypeContext } from '../context.ts';
import { refuseAsOf } from './as-of-time.ts';
import { completeSince } from './complete-since.ts';
import { type LocaleRow, rowsEver } from './former-contents.ts';

/** What a read may still look through. Throws BadRequestError. */
export interface Spending {
  rows(count: number): void;
  size(bytes: number): void;
}

export interface Reading {
  readonly context: TypeContext;
  readonly request: EntryRequest;
  readonly selected: Selected;
  readonly time: number;
  readonly spent: Spending;
  /** Throws BadRequestError for a type without a history, and for a time before it. */
  required(type: ContentType): Promise<void>;
}

/** What has no versions: files and users are shown as they are now. */
const SHOWN_AS_NOW: ReadonlySet<string> = new Set(['file', 'user']);

export function isShownAsNow({ uid }: Pick<ContentType, 'uid'>): boolean {
  return SHOWN_AS_NOW.has(uid);
}

async function requireKnown(database: Executor, { uid, history }: ContentType, time: number): Promise<void> {
  if (!history) return refuseAsOf(uid);
  const since = await completeSince(database, uid);
  if (since !== undefined && since <= time) return;
  const begin = since === undefined ? 'has only just begun' : `is complete since ${new Date(since).toISOString()}`;
  throw new BadRequestError(`Invalid parameter asOf: the history of ${uid} ${begin}`);
}

/** `required` of a reading: asks once for each type. */
export function requireOnce(database: Executor, time: number): Reading['required'] {
  const known = new Map<string, Promise<void>>();
  return (type) => {
    const found = known.get(type.uid) ?? requireKnown(database, type, time);
    known.set(type.uid, found);
    return found;
  };
}

/** Those of the ids that no rule hides from the caller now. */
export async function seenNow(
  { selected }: Reading,
  entry: VisibleEntries,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  return entry.narrowed === undefined ? new Set(ids) : selected.seen(entry, ids);
}

/** The rows that entries had at any time, in the order in which they are preferred. */
export function rowsEverOf({ context: { database, types } }: Reading): RelatedSource['rowsOf'] {
  return async (type, ids, wanted) => {
    const locales = [...(wanted === undefined ? [] : [wanted]), ...types.locales];
    const rank = ({ locale }: LocaleRow): number => locales.indexOf(locale);
    const rows = await rowsEver(database, type, ids);
    return new Map([...rows].map(([id, all]) => [id, all.toSorted((a, b) => rank(a) - rank(b)).map((one) => one.id)]));
  };
}
