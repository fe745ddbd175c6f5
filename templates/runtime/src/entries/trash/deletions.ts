/** Deleted entries, as those who may delete them list and restore them. */
import type { ContentType } from '../../contract/content-type.ts';
import { BadRequestError, NotFoundError } from '../../contract/errors.ts';
import { may } from '../../contract/policy/caller.ts';
import type { MovedClock } from '../../database/moved-clock.ts';
import { raw, sql, type Sql } from '../../database/sql.ts';
import type { EntryKey } from '../../query/entry-id.ts';
import type { CallContext, EntryRequest } from '../../query/entry-request.ts';
import type { ReadEntry } from '../../query/version-tag.ts';
import type { HookedType } from '../context.ts';
import { isRuled } from '../rules/action-rules.ts';
import { mayHideFrom } from '../visible-entry.ts';
import { type ComesBack, restoreEntry } from './restore-entry.ts';
import { findTrashed, listTrash, type TrashRow } from './trash-rows.ts';

/** Deletions in one answer. */
const PAGE = 100;

/** Which deletions the caller may know of: all, or their own if a rule or a hook hides entries from them. */
function reached(context: HookedType, call: CallContext): Sql {
  const { caller } = call;
  const isNarrowed = mayHideFrom(context, call) || isRuled(context, caller, 'delete');
  if (!isNarrowed) return raw('1 = 1');
  const { kind, userId } = caller;
  return userId === undefined ? raw('1 = 0') : sql`actor = ${JSON.stringify({ kind, id: userId })}`;
}

function viewOf(type: ContentType, { caller }: CallContext, row: TrashRow): object {
  const { key, id, documentId, title, locales, isPublished, deletedAt, dueAt, by } = row;
  // The title is that of the draft.
  const isSeen = !type.draftAndPublish || may(caller, 'preview', type.uid);
  return {
    key,
    id,
    ...(documentId !== undefined && { documentId }),
    ...(title !== undefined && isSeen && { title }),
    ...(locales && { locales }),
    published: isPublished,
    deletedAt: new Date(deletedAt).toISOString(),
    until: new Date(dueAt).toISOString(),
    by,
  };
}

/** Where a page of the list begins. */
function pageStart(before: unknown): number | undefined {
  if (before === undefined) return undefined;
  if (typeof before === 'string' && /^\d{1,15}$/u.test(before)) return Number(before);
  throw new BadRequestError('Invalid parameter before: it must be the key of a deletion');
}

/** The last deletions, or those before the one whose key is the parameter `before`. */
export async function listDeleted(
  context: HookedType,
  clock: MovedClock,
  call: CallContext,
  before: unknown,
): Promise<{ readonly data: readonly object[]; readonly meta: object }> {
  const { type, database } = context;
  const page = { type: type.uid, before: pageStart(before), by: reached(context, call), most: PAGE };
  const rows = await listTrash(database, clock, page);
  return { data: rows.map((row) => viewOf(type, call, row)), meta: {} };
}

/**
 * Restores the entry that was deleted last with this key; that of a single type has none. `further`: what else comes back with it.
 * Throws NotFoundError, and ValidationError for what keeps it from coming back.
 */
export async function restoreDeleted(
  context: HookedType,
  clock: MovedClock,
  key: EntryKey | undefined,
  request: EntryRequest,
  further?: ComesBack,
): Promise<ReadEntry> {
  const { type, database } = context;
  const found = await findTrashed(database, clock, { type: type.uid, key, by: reached(context, request) });
  if (!found) throw new NotFoundError();
  return restoreEntry(context, found, request, further);
}
