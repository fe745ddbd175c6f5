/** Parses the id in a path. */
import type { Context } from 'koa';
import type { ContentType } from '../contract/content-type.ts';
import { NotFoundError } from '../contract/errors.ts';
import { format } from './state.ts';
import { canBeDocumentId, type EntryKey, isEntryId, type NamedKey } from '../query/entry-id.ts';

const DECIMAL = /^\d{1,16}$/;

/** Parses a decimal id. Returns 0, which no entry has, for anything else: words, signs, fractions, numbers beyond 2^53. */
function entryId(text: string): number {
  const id = DECIMAL.test(text) ? Number(text) : 0;
  return isEntryId(id) ? id : 0;
}

/** Parses a decimal id. Throws NotFoundError for anything else. */
export function parseEntryId(text: string): number {
  const id = entryId(text);
  if (id === 0) throw new NotFoundError();
  return id;
}

/**
 * The key of an entry of a type that is the same in both formats: an id or, if the type has them, a document id. Throws
 * NotFoundError for anything else.
 */
export function parseEntryKey(text: string, { documentIds }: Pick<ContentType, 'documentIds'>): EntryKey {
  const isDocument = documentIds && !DECIMAL.test(text) && canBeDocumentId(text);
  return isDocument ? { documentId: text } : parseEntryId(text);
}

/** The key of an entry in a path: by document id, otherwise by id. */
export function entryKeyOf(text: string, byDocument: boolean): EntryKey {
  return byDocument ? { documentId: canBeDocumentId(text) ? text : '' } : entryId(text);
}

/** The number of a version in the path of a request, or two of them, as written. */
export function versionOf(ctx: Context): string {
  return String((ctx.params as { readonly version?: unknown }).version);
}

/**
 * The key of the entry in the path of a request: a document id in the v5 format, otherwise an id. An invalid one becomes an empty
 * document id or 0, which no entry has, so that errors in the query take precedence over 404.
 */
export function idOf(ctx: Context): EntryKey;
/** With the name of an attribute, also as its value. */
export function idOf(ctx: Context, attribute: string): EntryKey | NamedKey;
export function idOf(ctx: Context, attribute?: string): EntryKey | NamedKey {
  const text = String((ctx.params as { readonly id?: unknown }).id);
  const id = entryKeyOf(text, format.get(ctx)?.rules === 'v5');
  return attribute === undefined ? id : { attribute, value: text, id };
}
