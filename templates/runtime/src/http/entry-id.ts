/** The id in a path. */
import type { Context } from 'koa';
import { NotFoundError } from '../contract/errors.ts';
import { format } from './state.ts';
import { canBeDocumentId, type EntryKey, isEntryId } from '../query/entry-id.ts';

const DECIMAL = /^\d{1,16}$/;

/** The id that a text names; 0, which no entry has, for what can't be one: words, signs, fractions, beyond 2^53. */
function entryId(text: string): number {
  const id = DECIMAL.test(text) ? Number(text) : 0;
  return isEntryId(id) ? id : 0;
}

/** The id that a text names. Throws NotFoundError for what can't be one. */
export function parseEntryId(text: string): number {
  const id = entryId(text);
  if (id === 0) throw new NotFoundError();
  return id;
}

/**
 * What the path of a request names an entry by: in the v5 format a document id, else an id. Where it names none they are empty and 0,
 * which no entry has, so that its query is checked before the entry is missed.
 */
export function idOf(ctx: Context): EntryKey {
  const text = String((ctx.params as { readonly id?: unknown }).id);
  if (format.get(ctx)?.rules !== 'v5') return entryId(text);
  return { documentId: canBeDocumentId(text) ? text : '' };
}
