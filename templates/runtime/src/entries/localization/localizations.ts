/** `POST …/localizations`: adds a locale to an entry. Body and response are flat, and its errors are those of Strapi. */
import type { ContentType } from '../../contract/content-type.ts';
import { sql, type Sql } from '../../database/sql.ts';
import type { StoredEntry, TypeContext } from '../context.ts';
import { copyCallContext } from '../hooks.ts';
import { sentValues } from '../entry-input.ts';
import type { EntryDoor, SaveBody } from '../save-entry.ts';
import { findEntry } from '../stored-entry.ts';
import { HttpError, NotFoundError } from '../../contract/errors.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import { hasRight } from '../../contract/policy/rights.ts';
import { bareAnswer, type EntryAnswer } from '../../query/answer.ts';
import type { EntryQuery } from '../../query/entry-query.ts';
import type { EntryRequest } from '../../query/entry-request.ts';
import { queryOf } from '../../query/query-of.ts';
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

/** The entry that gets a locale. Throws HttpError 404 if the caller could not read it. */
async function localizedEntry({ database, type }: TypeContext, caller: Caller, condition: Sql): Promise<StoredEntry> {
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

/** Throws HttpError 400 if the locale is missing or unknown, or if the entry already has it. */
async function requireFreeLocale(
  { database, types, type }: TypeContext,
  stored: StoredEntry,
  locale: unknown,
): Promise<void> {
  if (locale === undefined || locale === null) throw refused('locale is missing');
  if (typeof locale !== 'string' || !types.locales.includes(locale)) throw refused('locale is invalid');
  const documentId = stored.localization?.documentId ?? '';
  const used = sql`t.document_id = ${documentId} AND t.locale = ${locale}`;
  if (await findEntry(database, type, used)) throw refused('locale is already used');
}

/**
 * Adds the locale that the body names to an entry; as a draft, if the type has drafts, unless the body contains `publishedAt`. The
 * answer is the entry with its other locales populated. Throws HttpError 404 if the entry is gone, 400 if the locale is missing,
 * unknown or already used, and ForbiddenError and ValidationError for its values.
 */
export function newLocalization(
  context: TypeContext,
  condition: Sql,
  body: unknown,
  request: EntryRequest,
): EntryDoor<SaveBody> {
  const { reader, type } = context;
  const { caller } = request;
  return {
    given: body,
    action: 'create',
    hidden: entityNotFound,
    async read() {
      if (!type.localized) throw new NotFoundError();
      const query = queryFor(caller, type);
      return { checked: await reader.check(type, { ...copyCallContext(request), query }), data: body };
    },
    async resolve(_, again) {
      const source = await localizedEntry(context, caller, condition);
      const locale = sentValues(body)['locale'];
      if (again) await requireFreeLocale(context, source, locale);
      return { kind: 'locale', row: source.id, source, locale: String(locale), draft: true };
    },
    async permitted(target) {
      if (target.kind !== 'locale') return body;
      await requireFreeLocale(context, target.source, sentValues(body)['locale']);
      return permittedData(context, target.row, { data: body, call: request });
    },
  };
}

interface Answered {
  readonly id: number;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** Whether an entry has its attributes apart from its id. */
export function isNested(entry: unknown): boolean {
  return typeof entry === 'object' && entry !== null && 'attributes' in entry;
}

/** The opposite of `flatAnswer`: the entry in the form of the other routes. */
export function nestedEntry(flat: unknown): unknown {
  type Flat = Pick<Answered, 'id'>;
  const nested = ({ id, ...attributes }: Flat): Answered => ({ id, attributes });
  const { localizations = [], ...own } = flat as Flat & { readonly localizations?: readonly Flat[] };
  const { id, attributes } = nested(own);
  return { id, attributes: { ...attributes, localizations: { data: localizations.map(nested) } } };
}

/** Flattens the answer for an entry: attributes move next to the id, as in each of its `localizations`. */
export function flatAnswer(answer: EntryAnswer): EntryAnswer {
  const { id, attributes } = answer.entry() as Answered;
  const { localizations, ...own } = attributes as { readonly localizations?: { readonly data: readonly Answered[] } };
  const others = localizations?.data.map((other) => ({ id: other.id, ...other.attributes })) ?? [];
  return bareAnswer({ id, ...own, localizations: others }, answer.version);
}
