/** Entries by the rules of the v5 format: identified by document id, with a locale and a status. */
import { NotFoundError, ValidationError } from '../../contract/errors.ts';
import { sql, type Sql } from '../../database/sql.ts';
import { type EntryAnswer, NO_ENTRY } from '../../query/answer.ts';
import type { EntryRequest } from '../../query/entry-request.ts';
import { oneLocale } from '../../query/query-rules.ts';
import type { ReadEntry } from '../../query/version-tag.ts';
import type { CheckedQuery } from '../../query/checked-query.ts';
import { queryLocale } from '../../query/requested-locale.ts';
import { removeEntries } from '../change-entry.ts';
import type { TypeContext } from '../context.ts';
import { removeThrough } from '../door.ts';
import { localeIssues, statusIssues } from '../echoed-values.ts';
import { sentValues } from '../entry-input.ts';
import { type EntryDoor, existing, type SaveBody } from '../save-entry.ts';
import { findEntries, findEntry } from '../stored-entry.ts';
import { documentData } from './document-data.ts';
import { refuseDraftDelete, withStatus } from './document-state.ts';

/** A write, with its data converted for the validators. */
export interface DocumentBody extends SaveBody {
  readonly locale: string;
}

/** Refuses invalid queries, unknown names and values that contradict the query before the entry is looked up. */
export async function documentBody(
  context: TypeContext,
  given: unknown,
  request: EntryRequest,
  check: () => Promise<CheckedQuery> = () => context.reader.check(context.type, request),
): Promise<DocumentBody> {
  const { types, type } = context;
  const checked = await check();
  if (checked.allLocales) oneLocale({ kind: 'all' });
  const locale = queryLocale(types, type, checked);
  const data = await documentData(context, given, { call: request, locale });
  const issues = [
    ...localeIssues(context, sentValues(given), { written: locale, byDocument: true }),
    ...statusIssues(context, sentValues(given), checked.live),
  ];
  if (issues.length > 0) throw new ValidationError(issues);
  return { checked, locale, data: withStatus(type, data, checked) };
}

/** An update of an entry in a locale, or one that adds the locale to it. */
export function updatedDocument(
  context: TypeContext,
  documentId: string,
  given: unknown,
  request: EntryRequest,
): EntryDoor<DocumentBody> {
  const { database, type } = context;
  return {
    given,
    action: 'update',
    read: () => documentBody(context, given, request),
    async resolve({ locale }) {
      const ofDocument = sql`t.document_id = ${documentId}`;
      const inLocale = type.localized ? sql`${ofDocument} AND t.locale = ${locale}` : ofDocument;
      const stored = await findEntry(database, type, inLocale);
      if (stored) return existing(stored);
      const source = type.localized ? await findEntry(database, type, ofDocument) : undefined;
      if (!source) throw new NotFoundError();
      return { kind: 'locale', row: source.id, source, locale, draft: false, state: { now: undefined } };
    },
  };
}

/** Deletes the rows of one locale or of all. The answer does not reveal whether there were any. */
export async function removeDocument(
  context: TypeContext,
  condition: Sql,
  request: EntryRequest,
): Promise<EntryAnswer> {
  const { database, reader, types, type } = context;
  await removeThrough<CheckedQuery, ReadEntry>(context, request, {
    async read() {
      const checked = await reader.check(type, request);
      refuseDraftDelete(checked);
      return checked;
    },
    find(checked) {
      const isOne = type.localized && !checked.allLocales;
      const inLocale = isOne ? sql`${condition} AND t.locale = ${queryLocale(types, type, checked)}` : condition;
      return findEntries(database, type, inLocale);
    },
    isSilent: true,
    remove: (ids, checked) => removeEntries(context, ids, { ...request, checked }),
  });
  return NO_ENTRY;
}
