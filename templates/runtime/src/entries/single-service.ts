/** The entry of a single type, one per locale if it is localized: its first update creates it. */
import { UniqueViolation } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { NotFoundError, ValidationError } from '../contract/errors.ts';
import { deleteRowsOf, documentWrite, type DocumentWrite } from './documents/document-service.ts';
import { requireDraft } from './documents/document-state.ts';
import { type EntryRequest, isDocumentRequest } from '../query/entry-request.ts';
import { createLocale } from './localization/create-locale.ts';
import { addLocale, flatAnswer, localizedEntry } from './localization/localizations.ts';
import { entryAnswer } from '../query/answer.ts';
import { newLocale, queryLocale } from '../query/requested-locale.ts';
import type { CheckedQuery } from '../query/reader.ts';
import { changeEntry, removeEntry } from './change-entry.ts';
import type { TypeContext, WriteRequest } from './context.ts';
import { createEntryAt } from './create-entry.ts';
import { updateChecking, withBeforeHook } from './before-hook.ts';
import { localeIssues } from './echoed-values.ts';
import { sentValues, willBeDraft } from './entry-input.ts';
import { runBeforeDelete, transformEntry, withoutTagsIfTransformed } from './hooks.ts';
import type { SingleService } from './service.ts';
import type { ReadEntry } from '../query/version-tag.ts';
import { requirePreconditions } from './preconditions.ts';
import { findEntry, type FoundEntry } from './stored-entry.ts';
import { StaleEntryError } from './stale-entry.ts';
import { requireVisible } from './visible-entry.ts';
import { requireShortLists } from './list-lengths.ts';

/** The entry in a locale; undefined if there is none. */
function currentEntry({ database, type }: TypeContext, locale: string): Promise<FoundEntry | undefined> {
  return findEntry(database, type, type.localized ? sql`t.locale = ${locale}` : sql`1 = 1`);
}

/** Creates the first entry. Its locales belong together, so if two are created at once, they must belong to the same document. */
function createFirst(context: TypeContext, write: WriteRequest, locale: string): Promise<ReadEntry> {
  const { type } = context;
  return createEntryAt(context, write, {
    documentLocale: type.localized ? { locale, ...(!type.documentIds && { documentId: type.uid }) } : {},
    issues: [],
    precondition: async (tx) => {
      // If two locales are created at once, the second must see the first, to share its shared attributes.
      await tx.dialect.lockKeys(tx, [`${type.table} first`]);
      if (await findEntry(tx, type, sql`1 = 1`)) throw new StaleEntryError();
    },
  });
}

/** Creates the entry in a locale. Throws StaleEntryError if another request has created it meanwhile. */
async function createCurrent(context: TypeContext, write: WriteRequest, locale: string): Promise<ReadEntry> {
  const source = context.type.localized ? await findEntry(context.database, context.type, sql`1 = 1`) : undefined;
  try {
    if (!source) return await createFirst(context, write, locale);
    return await createLocale(context, source, { ...write, locale, draft: false });
  } catch (error) {
    const isThere = error instanceof UniqueViolation && (await currentEntry(context, locale)) !== undefined;
    throw isThere ? new StaleEntryError() : error;
  }
}

interface Saved {
  readonly entry: ReadEntry;
  readonly created: boolean;
}

async function save(
  context: TypeContext,
  found: FoundEntry | undefined,
  write: WriteRequest & { readonly locale: string },
): Promise<Saved> {
  for (let stored = found; ; stored = await currentEntry(context, write.locale)) {
    requirePreconditions(stored, write, context.type);
    try {
      if (stored) return { entry: await changeEntry(context, stored, write), created: false };
      return { entry: await createCurrent(context, write, write.locale), created: true };
    } catch (error) {
      if (!(error instanceof StaleEntryError)) throw error;
    }
  }
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

async function plainWrite(context: TypeContext, data: unknown, request: EntryRequest): Promise<DocumentWrite> {
  const checked = await context.reader.check(context.type, request);
  return { checked, locale: await writtenLocale(context, data, checked), data };
}

export function singleService(context: TypeContext): SingleService {
  const { reader, types, type, hooks } = context;
  const localeOf = (checked: CheckedQuery) => queryLocale(types, type, checked);
  return {
    async find(request) {
      const answer = await reader.single(type, withoutTagsIfTransformed(hooks, request));
      if (answer === undefined) throw new NotFoundError();
      return transformEntry(hooks, answer, request);
    },
    async save(given, request) {
      requireShortLists(context, given, request.caller);
      const isDocument = isDocumentRequest(request);
      const { checked, locale, data } = isDocument
        ? await documentWrite(context, given, request)
        : await plainWrite(context, given, request);
      const stored = await currentEntry(context, locale);
      if (stored) await requireVisible(context, stored.id, request);
      requirePreconditions(stored, request, type);
      if (isDocument && stored) requireDraft(type, stored, checked);
      const write = await withBeforeHook(
        context,
        { ...request, data, checked, locale },
        stored
          ? updateChecking(type, stored, data)
          : { operation: 'create', draft: willBeDraft(type, data, false), othersPublished: false, inherited: true },
      );
      const { entry, created } = await save(context, stored, write);
      return { answer: await transformEntry(hooks, entryAnswer(entry), request), created: created && !isDocument };
    },
    async delete(request) {
      if (isDocumentRequest(request)) return deleteRowsOf(context, sql`1 = 1`, request);
      const checked = await reader.check(type, request);
      const stored = await currentEntry(context, localeOf(checked));
      if (!stored) throw new NotFoundError();
      await requireVisible(context, stored.id, request);
      requirePreconditions(stored, request, type);
      await runBeforeDelete(hooks, stored.id, request);
      const removed = await removeEntry(context, stored.id, { ...request, checked });
      return transformEntry(hooks, entryAnswer(removed), request);
    },
    async createLocalization(body, request) {
      requireShortLists(context, body, request.caller);
      // In the v5 format an update adds a locale.
      if (isDocumentRequest(request)) throw new NotFoundError();
      const source = await localizedEntry(context, request.caller, sql`1 = 1`);
      await requireVisible(context, source.id, request);
      const answer = entryAnswer(await addLocale(context, source, { ...request, data: body }));
      return flatAnswer(await transformEntry(hooks, answer, request));
    },
  };
}
