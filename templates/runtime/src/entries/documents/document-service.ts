/** The entries of a collection type by the rules of the v5 format: identified by document id, with a locale and a status. */
import { NotFoundError, ValidationError } from '../../contract/errors.ts';
import { UniqueViolation } from '../../database/database.ts';
import { sql, type Sql } from '../../database/sql.ts';
import { entryAnswer, type EntryAnswer, NO_ENTRY } from '../../query/answer.ts';
import type { EntryRequest } from '../../query/entry-request.ts';
import { oneLocale } from '../../query/query-rules.ts';
import type { CheckedQuery } from '../../query/reader.ts';
import { queryLocale } from '../../query/requested-locale.ts';
import { updateChecking, withBeforeHook } from '../before-hook.ts';
import { changeEntry, removeEntries } from '../change-entry.ts';
import type { TypeContext } from '../context.ts';
import type { ReadEntry } from '../../query/version-tag.ts';
import { requirePreconditions } from '../preconditions.ts';
import { createEntry } from '../create-entry.ts';
import { localeIssues, statusIssues } from '../echoed-values.ts';
import { sentValues, willBeDraft } from '../entry-input.ts';
import { runBeforeDelete, transformEntry } from '../hooks.ts';
import { createLocale } from '../localization/create-locale.ts';
import { StaleEntryError } from '../stale-entry.ts';
import { findEntries, findEntry, type FoundEntry } from '../stored-entry.ts';
import { requireVisible } from '../visible-entry.ts';
import { documentData } from './document-data.ts';
import { refuseDraftDelete, requireDraft, withStatus } from './document-state.ts';

/** A write, with its data converted for the validators. */
export interface DocumentWrite {
  readonly checked: CheckedQuery;
  readonly locale: string;
  readonly data: unknown;
}

/** Refuses invalid queries, unknown names and values that contradict the query before the entry is looked up. */
export async function documentWrite(
  context: TypeContext,
  given: unknown,
  request: EntryRequest,
): Promise<DocumentWrite> {
  const { reader, types, type } = context;
  const checked = await reader.check(type, request);
  if (checked.allLocales) oneLocale({ kind: 'all' });
  const locale = queryLocale(types, type, checked);
  const data = await documentData(context, given, { caller: request.caller, locale });
  const issues = [
    ...localeIssues(context, sentValues(given), { written: locale, byDocument: true }),
    ...statusIssues(context, sentValues(given), checked.live),
  ];
  if (issues.length > 0) throw new ValidationError(issues);
  return { checked, locale, data: withStatus(type, data, checked) };
}

/**
 * The ids of the rows that the caller may see. Throws PreconditionFailedError if one of them violates the request's
 * preconditions.
 */
async function visibleIds(context: TypeContext, condition: Sql, request: EntryRequest): Promise<readonly number[]> {
  const ids: number[] = [];
  for (const found of await findEntries(context.database, context.type, condition)) {
    try {
      await requireVisible(context, found.id, request);
    } catch (error) {
      if (error instanceof NotFoundError) continue;
      throw error;
    }
    requirePreconditions(found, request, context.type);
    ids.push(found.id);
  }
  return ids;
}

/** Deletes the rows of one locale or of all, atomically. The answer does not reveal whether there were any. */
export async function deleteRowsOf(context: TypeContext, condition: Sql, request: EntryRequest): Promise<EntryAnswer> {
  const { reader, types, type, hooks } = context;
  const checked = await reader.check(type, request);
  refuseDraftDelete(type, checked);
  const isOne = type.localized && !checked.allLocales;
  const which = isOne ? sql`${condition} AND t.locale = ${queryLocale(types, type, checked)}` : condition;
  const hooksRan = new Set<number>();
  let ids = await visibleIds(context, which, request);
  while (ids.length > 0) {
    for (const id of ids.filter((each) => !hooksRan.has(each))) {
      hooksRan.add(id);
      await runBeforeDelete(hooks, id, request);
    }
    try {
      await removeEntries(context, ids, { ...request, checked });
      break;
    } catch (error) {
      const remaining = await visibleIds(context, which, request);
      // Another request may have deleted one of them, which is fine. But a hook may throw NotFoundError, too, so check.
      const isStale = error instanceof StaleEntryError;
      if (!isStale && (!(error instanceof NotFoundError) || ids.every((id) => remaining.includes(id)))) throw error;
      ids = remaining;
    }
  }
  return NO_ENTRY;
}

async function changeLocale(
  context: TypeContext,
  stored: FoundEntry,
  { checked, data }: DocumentWrite,
  request: EntryRequest,
): Promise<ReadEntry> {
  await requireVisible(context, stored.id, request);
  requirePreconditions(stored, request, context.type);
  requireDraft(context.type, stored, checked);
  const write = await withBeforeHook(
    context,
    { ...request, data, checked },
    updateChecking(context.type, stored, data),
  );
  return changeEntry(context, stored, write);
}

/** Adds the locale to the entry. Throws StaleEntryError if another request has added it meanwhile. */
async function addLocale(
  context: TypeContext,
  source: FoundEntry,
  { checked, data, locale }: DocumentWrite,
  request: EntryRequest,
): Promise<ReadEntry> {
  await requireVisible(context, source.id, request);
  requirePreconditions(undefined, request, context.type);
  const draft = willBeDraft(context.type, data, false);
  const write = await withBeforeHook(
    context,
    { ...request, data, checked },
    { operation: 'create', draft, othersPublished: false, inherited: true, localeOf: source.id },
  );
  try {
    return await createLocale(context, source, { ...write, locale, draft });
  } catch (error) {
    throw error instanceof UniqueViolation ? new StaleEntryError() : error;
  }
}

async function updateOnce(
  context: TypeContext,
  documentId: string,
  write: DocumentWrite,
  request: EntryRequest,
): Promise<ReadEntry> {
  const { database, type } = context;
  const ofDocument = sql`t.document_id = ${documentId}`;
  const inLocale = type.localized ? sql`${ofDocument} AND t.locale = ${write.locale}` : ofDocument;
  const stored = await findEntry(database, type, inLocale);
  if (stored) return changeLocale(context, stored, write, request);
  const source = type.localized ? await findEntry(database, type, ofDocument) : undefined;
  if (!source) throw new NotFoundError();
  return addLocale(context, source, write, request);
}

/** Creates an entry. */
export async function createDocument(
  context: TypeContext,
  given: unknown,
  request: EntryRequest,
): Promise<EntryAnswer> {
  const { type, hooks } = context;
  const { checked, data } = await documentWrite(context, given, request);
  const draft = willBeDraft(type, data, false);
  const write = await withBeforeHook(
    context,
    { ...request, data, checked },
    { operation: 'create', draft, othersPublished: false },
  );
  return transformEntry(hooks, entryAnswer(await createEntry(context, write)), request);
}

/** Updates an entry in a locale, or adds the locale to it. Throws NotFoundError if there is no such entry. */
export async function updateDocument(
  context: TypeContext,
  documentId: string,
  given: unknown,
  request: EntryRequest,
): Promise<EntryAnswer> {
  const write = await documentWrite(context, given, request);
  for (;;) {
    try {
      const entry = await updateOnce(context, documentId, write, request);
      return await transformEntry(context.hooks, entryAnswer(entry), request);
    } catch (error) {
      if (!(error instanceof StaleEntryError)) throw error;
    }
  }
}
