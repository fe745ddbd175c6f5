/** `POST …/localizations`: adds a locale to an entry. Body and response are flat, and its errors are those of Strapi. */
import type { ContentType } from '../../contract/content-type.ts';
import { UniqueViolation } from '../../database/database.ts';
import { sql, type Sql } from '../../database/sql.ts';
import type { StoredEntry, TypeContext, WriteRequest } from '../context.ts';
import { withBeforeHook } from '../before-hook.ts';
import { copyCallContext } from '../hooks.ts';
import { sentValues, willBeDraft } from '../entry-input.ts';
import { findEntry } from '../stored-entry.ts';
import { StaleEntryError } from '../stale-entry.ts';
import { HttpError, NotFoundError } from '../../contract/errors.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import { hasRight } from '../../contract/policy/rights.ts';
import { bareAnswer, type EntryAnswer } from '../../query/answer.ts';
import type { EntryQuery } from '../../query/entry-query.ts';
import type { ReadEntry } from '../../query/version-tag.ts';
import { queryOf } from '../../query/query-of.ts';
import { createLocale } from './create-locale.ts';
import { permittedData } from './kept-attributes.ts';

/** The query for the answer: the new locale with the others populated, as far as the caller may see them. */
function queryFor(caller: Caller, { uid, draftAndPublish }: ContentType): EntryQuery {
  const publicationState = draftAndPublish && hasRight(caller, 'drafts', uid) ? 'preview' : 'live';
  return queryOf({ populate: 'localizations', publicationState });
}

function entityNotFound(): HttpError {
  return new HttpError(404, 'NotFoundError', 'Entity not found');
}

function refused(message: string): HttpError {
  return new HttpError(400, 'ApplicationError', message);
}

/** The entry that gets a locale. Throws HttpError 404 if the caller could not read it, or if the type is not localized. */
export async function localizedEntry(
  { database, type }: TypeContext,
  caller: Caller,
  condition: Sql,
): Promise<StoredEntry> {
  if (!type.localized) throw new NotFoundError();
  const { uid } = type;
  if (!hasRight(caller, 'sourceLocales', uid)) throw entityNotFound();
  const showsDrafts = !type.draftAndPublish || hasRight(caller, 'sourceDrafts', uid);
  const stored = await findEntry(
    database,
    type,
    showsDrafts ? condition : sql`${condition} AND t.published_at IS NOT NULL`,
  );
  if (!stored) throw entityNotFound();
  return stored;
}

/** The locale that the body names. Throws HttpError 400 if it is missing or unknown, or if the entry already has it. */
async function freeLocale({ database, types, type }: TypeContext, stored: StoredEntry, body: unknown): Promise<string> {
  const locale = sentValues(body)['locale'];
  if (locale === undefined || locale === null) throw refused('locale is missing');
  if (typeof locale !== 'string' || !types.locales.includes(locale)) throw refused('locale is invalid');
  const documentId = stored.localization?.documentId ?? '';
  const used = sql`t.document_id = ${documentId} AND t.locale = ${locale}`;
  if (await findEntry(database, type, used)) throw refused('locale is already used');
  return locale;
}

/**
 * Adds the locale that `data` names to an entry; as a draft, if the type has drafts, unless `data` contains `publishedAt`.
 * Returns the entry with its other locales populated. Throws HttpError 404 if the entry is gone, 400 if the locale is missing, unknown
 * or already used, and ForbiddenError and ValidationError for its values.
 */
export async function addLocale(
  context: TypeContext,
  stored: StoredEntry,
  request: Omit<WriteRequest, 'checked'>,
): Promise<ReadEntry> {
  const { reader, type } = context;
  const { data, caller } = request;
  const checked = await reader.check(type, { ...copyCallContext(request), query: queryFor(caller, type) });
  const locale = await freeLocale(context, stored, data);
  const permitted = await permittedData(context, stored.id, { data, caller });
  const draft = willBeDraft(type, permitted, type.draftAndPublish);
  const write = await withBeforeHook(
    context,
    { ...request, data: permitted },
    { operation: 'create', draft, othersPublished: false, inherited: true, localeOf: stored.id },
  );
  try {
    return await createLocale(context, stored, { ...write, checked, locale, draft: true });
  } catch (error) {
    if (error instanceof StaleEntryError) throw entityNotFound();
    // Another request may have added the locale meanwhile.
    if (error instanceof UniqueViolation) await freeLocale(context, stored, data);
    throw error;
  }
}

interface Answered {
  readonly id: number;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** Flattens the answer for an entry: attributes move next to the id, as in each of its `localizations`. */
export function flatAnswer(answer: EntryAnswer): EntryAnswer {
  const { id, attributes } = answer.entry() as Answered;
  const { localizations, ...own } = attributes as { readonly localizations?: { readonly data: readonly Answered[] } };
  const others = localizations?.data.map((other) => ({ id: other.id, ...other.attributes })) ?? [];
  return bareAnswer({ id, ...own, localizations: others }, answer.version);
}
