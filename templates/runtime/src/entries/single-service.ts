/** The entry of a single type, one per locale if it is localized: its first update creates it. */
import type { ContentType } from '../contract/content-type.ts';
import { NotFoundError, ValidationError } from '../contract/errors.ts';
import { sql, type Sql } from '../database/sql.ts';
import { entryAnswer, NO_ENTRY } from '../query/answer.ts';
import { type EntryRequest, isDocumentRequest } from '../query/entry-request.ts';
import type { ReadEntry } from '../query/version-tag.ts';
import type { CheckedQuery } from '../query/checked-query.ts';
import { newLocale, queryLocale } from '../query/requested-locale.ts';
import { removeEntries } from './change-entry.ts';
import type { TypeContext } from './context.ts';
import { type DocumentBody, documentBody, removeDocument } from './documents/document-doors.ts';
import { asDraft, refuseDraftDelete } from './documents/document-state.ts';
import { removeThrough } from './door.ts';
import { localeIssues } from './echoed-values.ts';
import { sentValues } from './entry-input.ts';
import { lockFirstEntry } from './first-entry.ts';
import { transformEntry, withoutTagsIfTransformed } from './hooks.ts';
import { readsAsOf, singleHistory } from './history/load-history.ts';
import { flatAnswer, newLocalization } from './localization/localizations.ts';
import { actOnEntry } from './publication-actions.ts';
import { existing, saveEntry, type SaveTarget } from './save-entry.ts';
import type { SingleService } from './service.ts';
import { StaleEntryError } from './stale-entry.ts';
import { findEntries, findEntry, type FoundEntry } from './stored-entry.ts';

function inLocale({ localized }: ContentType, locale: string): Sql {
  return localized ? sql`t.locale = ${locale}` : sql`1 = 1`;
}

/** The entry in a locale; undefined if there is none. */
function currentEntry({ database, type }: TypeContext, locale: string): Promise<FoundEntry | undefined> {
  return findEntry(database, type, inLocale(type, locale));
}

/** The first entry. Its locales belong together, so if two are created at once, they must belong to the same document. */
function firstEntry({ type }: TypeContext, locale: string): SaveTarget {
  return {
    kind: 'new',
    row: undefined,
    state: { now: undefined },
    documentLocale: type.localized ? { locale, ...(!type.documentIds && { documentId: type.uid }) } : {},
    issues: [],
    precondition: async (tx) => {
      // If two locales are created at once, the second must see the first, to share its shared attributes.
      await lockFirstEntry(tx, type);
      if (await findEntry(tx, type, sql`1 = 1`)) throw new StaleEntryError();
    },
  };
}

/** What a write in a locale changes or creates. */
async function targetIn(context: TypeContext, locale: string): Promise<SaveTarget> {
  const stored = await currentEntry(context, locale);
  if (stored) return existing(stored);
  const { database, type } = context;
  const source = type.localized ? await findEntry(database, type, sql`1 = 1`) : undefined;
  if (!source) return firstEntry(context, locale);
  return { kind: 'locale', row: source.id, source, locale, draft: false, state: { now: undefined } };
}

/**
 * The locale that a write applies to: that of the query, the one in the data of the first write, or the default. Throws
 * ValidationError if the data names another one.
 */
async function writtenLocale(context: TypeContext, data: unknown, checked: CheckedQuery): Promise<string> {
  const { database, types, type } = context;
  const locale = queryLocale(types, type, checked);
  const contradictions = localeIssues(context, sentValues(data), { written: locale, byDocument: false });
  if (contradictions.length === 0) return locale;
  if (checked.locale !== undefined || (await findEntry(database, type, sql`1 = 1`))) {
    throw new ValidationError(contradictions);
  }
  const { locale: first, issues } = newLocale(types, sentValues(data)['locale'], locale);
  if (issues.length > 0) throw new ValidationError(issues);
  return first;
}

async function plainBody(context: TypeContext, data: unknown, request: EntryRequest): Promise<DocumentBody> {
  const checked = await context.reader.check(context.type, request);
  return { checked, locale: await writtenLocale(context, data, checked), data: asDraft(data, checked) };
}

export function singleService(context: TypeContext): SingleService {
  const { database, reader, types, type, hooks } = context;
  return {
    history: singleHistory(context),
    async find(request) {
      const coming = context.inRelease?.(context, request);
      if (coming) return coming.entry((inside, own) => singleService({ ...context, ...inside }).find(own));
      const former = readsAsOf(context, request);
      if (former) return former.single();
      const answer = await reader.single(type, withoutTagsIfTransformed(hooks, request));
      if (answer === undefined) throw new NotFoundError();
      return transformEntry(hooks, answer, request);
    },
    async save(given, request) {
      const isDocument = isDocumentRequest(request);
      const { entry, target } = await saveEntry<DocumentBody>(context, request, {
        given,
        action: 'update',
        read: () => (isDocument ? documentBody(context, given, request) : plainBody(context, given, request)),
        resolve: ({ locale }) => targetIn(context, locale),
      });
      const answer = await transformEntry(hooks, entryAnswer(entry), request);
      return { answer, created: target.kind !== 'row' && !isDocument };
    },
    async delete(request) {
      if (isDocumentRequest(request)) return removeDocument(context, sql`1 = 1`, request);
      const [removed] = await removeThrough<CheckedQuery, ReadEntry>(context, request, {
        async read() {
          const checked = await reader.check(type, request);
          refuseDraftDelete(checked);
          return checked;
        },
        find: (checked) => findEntries(database, type, inLocale(type, queryLocale(types, type, checked))),
        isSilent: false,
        remove: (ids, checked) => removeEntries(context, ids, { ...request, checked }),
      });
      return removed ? transformEntry(hooks, entryAnswer(removed), request) : NO_ENTRY;
    },
    async act(action, request) {
      const entry = await actOnEntry(context, action, { condition: sql`1 = 1`, ofRow: false }, request);
      return transformEntry(hooks, entryAnswer(entry), request);
    },
    async createLocalization(body, request) {
      // In the v5 format an update adds a locale.
      if (isDocumentRequest(request)) throw new NotFoundError();
      const { entry } = await saveEntry(context, request, newLocalization(context, sql`1 = 1`, body, request));
      return flatAnswer(await transformEntry(hooks, entryAnswer(entry), request));
    },
  };
}
