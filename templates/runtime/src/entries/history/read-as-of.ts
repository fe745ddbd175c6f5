/** Reads entries as they were at a time, from their versions: populated relations and their order included. */
import { jsonLength } from '../../base/cost/json-length.ts';
import type { ContentType } from '../../contract/content-type.ts';
import { BadRequestError, ForbiddenError, NotFoundError } from '../../contract/errors.ts';
import { may } from '../../contract/policy/caller.ts';
import { permissionName } from '../../contract/policy/permission-name.ts';
import { sql } from '../../database/sql.ts';
import { bareAnswer, type EntryAnswer, listAnswer, type ListAnswer } from '../../query/answer.ts';
import { assembled, type RelatedSource } from '../../query/assembled-entry.ts';
import type { Content } from '../../query/content-text.ts';
import type { EntryKey } from '../../query/entry-id.ts';
import type { EntryRequest } from '../../query/entry-request.ts';
import { oneLocale } from '../../query/query-rules.ts';
import { ownValue } from '../../query/query-value.ts';
import type { EntrySelection } from '../../query/read-query.ts';
import { transformEntry, transformList } from '../hooks.ts';
import type { TypeContext } from '../context.ts';
import { refuseAsOf } from './as-of-time.ts';
import { contentsAt, listAt, rowsEver } from './former-contents.ts';
import { looksThrough, matchesAt, populatedAt, spending } from './matching-at.ts';
import { contentsOf, listedIn, localeIn, pageAt, permitted } from './page-at.ts';
import { isShownAsNow, type Reading, requireOnce, rowsEverOf, seenNow } from './reading-at.ts';

/** What former content can't be asked: how an entry and what is published of it were to each other. */
const REFUSED = ['publicationFilter', 'hasPublishedVersion'] as const;

function refuseQuestions({ query }: EntryRequest): void {
  const tree = query.tree();
  const asked = REFUSED.find((name) => ownValue(tree, name) !== undefined);
  if (asked !== undefined) throw new BadRequestError(`Invalid parameter ${asked}: it can't be combined with asOf`);
}

/** The contents with the other locales that their entries had. */
async function withLocales(
  { context, time }: Reading,
  type: ContentType,
  contents: readonly Content[],
): Promise<readonly Content[]> {
  const { database, types } = context;
  if (!type.localized || contents.length === 0) return contents;
  const rows = await rowsEver(
    database,
    type,
    contents.map(({ id }) => Number(id)),
  );
  const ids = new Set([...rows.values()].flat().map(({ id }) => id));
  const found = await contentsAt(database, types, type, { ids: [...ids], time });
  return contents.map((content) => {
    const own = (rows.get(Number(content['id'])) ?? []).flatMap(({ id }): Content[] => {
      const other = id === Number(content['id']) ? undefined : found.get(id);
      return other ? [other] : [];
    });
    const availableLocales = own.map(({ id, locale, createdAt, updatedAt, publishedAt }) => ({
      id,
      locale,
      createdAt,
      updatedAt,
      ...(type.draftAndPublish && { publishedAt }),
    }));
    return { ...content, localizations: own.map(({ id }) => id), availableLocales };
  });
}

/** Entries behind relations as they were; files and users are shown as they are now. */
function sourceAt(reading: Reading): RelatedSource {
  const { context, selected, time } = reading;
  const { database, types } = context;
  const source: RelatedSource = {
    ...populatedAt(reading),
    async entries(entry, ids, withType) {
      const { type } = entry;
      if (isShownAsNow(type)) return selected.source.entries(entry, ids, withType);
      await reading.required(type);
      selected.budget.entries(ids.length, undefined);
      const seen = await seenNow(reading, entry, ids);
      const contents = await contentsAt(database, types, type, { ids: ids.filter((id) => seen.has(id)), time });
      const all = await withLocales(reading, type, [...contents.values()]);
      const shown = await assembled(all, entry, source, withType);
      return new Map(all.map(({ id }, index) => [Number(id), shown[index]]));
    },
    rowsOf: rowsEverOf(reading),
  };
  return source;
}

async function open(
  context: TypeContext,
  request: EntryRequest,
  { time, of }: { readonly time: number; readonly of?: 'list' },
): Promise<Reading> {
  const { type, reader } = context;
  const { caller } = request;
  if (!type.history) return refuseAsOf(type.uid);
  if (!may(caller, 'history', type.uid)) {
    throw new ForbiddenError({
      reason: `${caller.role} lacks ${permissionName(type.uid, 'history')}, needed for asOf`,
    });
  }
  refuseQuestions(request);
  const selected = await reader.selection(type, request, of);
  const required = requireOnce(context.database, time);
  await required(type);
  return { context, request, selected, time, spent: spending(), required };
}

async function shown(reading: Reading, entry: EntrySelection, contents: readonly Content[]) {
  const { selected } = reading;
  const all = await withLocales(reading, entry.type, contents);
  const entries = await assembled(all, entry, sourceAt(reading));
  // Entries that stand in many places are assembled once: what they would take together is known before it is built.
  selected.budget.size(jsonLength(entries), undefined);
  return entries;
}

/** What stands for a page where its numbers don't matter. */
const ANY_PAGE = { kind: 'offset', start: 0, limit: 1, withCount: false } as const;

export async function listAsOf(context: TypeContext, request: EntryRequest, time: number): Promise<ListAnswer> {
  const reading = await open(context, request, { time, of: 'list' });
  const { query, budget } = reading.selected;
  const { page = ANY_PAGE } = query;
  const { contents, pagination } = await pageAt(reading, page);
  budget.entries(contents.length, undefined);
  const entries = await shown(reading, query.entry, contents);
  const data = [JSON.stringify(entries)];
  const answer = listAnswer({ data }, ANY_PAGE, undefined).on(pagination);
  return transformList(context.hooks, answer, request);
}

/** The number of entries on all pages of a list. */
export async function countAsOf(context: TypeContext, request: EntryRequest, time: number): Promise<number> {
  const reading = await open(context, request, { time, of: 'list' });
  const { total = 0 } = await pageAt(reading, { ...ANY_PAGE, withCount: true });
  return total;
}

/** The row of a key that is there now: of a document id, that in the locale. */
async function rowOf(
  { database, types, type }: TypeContext,
  key: EntryKey,
  locale: string | undefined,
): Promise<number> {
  if (typeof key === 'number') return key;
  const table = database.dialect.id((types.types[type.uid] ?? type).table);
  const inLocale = locale === undefined ? sql`` : sql` AND locale = ${locale}`;
  const row = await database.get(sql`SELECT id FROM ${table} WHERE document_id = ${key.documentId}${inLocale}`);
  if (!row) throw new NotFoundError();
  return Number(row['id']);
}

async function oneAsOf(reading: Reading, id: number): Promise<EntryAnswer> {
  const { context, request, selected, time } = reading;
  const { database, types, hooks } = context;
  const { query } = selected;
  const { entry } = query;
  const ids = await permitted(reading, [id]);
  const contents = looksThrough(query)
    ? contentsOf(await matchesAt(reading, ids))
    : [...(await contentsAt(database, types, entry.type, { ids, time })).values()];
  const [one] = await shown(reading, entry, contents);
  if (one === undefined) throw new NotFoundError();
  const answer = bareAnswer({ data: one, meta: {} }, undefined);
  const plain: EntryAnswer = {
    ...answer,
    entry: () => structuredClone(one),
    with: (other) => bareAnswer({ data: other, meta: {} }, undefined),
  };
  return transformEntry(hooks, plain, request);
}

export async function entryAsOf(
  context: TypeContext,
  key: EntryKey,
  request: EntryRequest,
  time: number,
): Promise<EntryAnswer> {
  const reading = await open(context, request, { time });
  const locale = localeIn(context, oneLocale(reading.selected.query.locale));
  return oneAsOf(reading, await rowOf(context, key, locale));
}

/** The entry of a single type. */
export async function singleAsOf(context: TypeContext, request: EntryRequest, time: number): Promise<EntryAnswer> {
  const reading = await open(context, request, { time });
  const { database, types } = context;
  const { type } = reading.selected.query.entry;
  const listed = { ...listedIn(reading), among: undefined };
  const [content] = await listAt(database, types, type, { ...listed, start: 0, limit: 1 });
  if (!content) throw new NotFoundError();
  return oneAsOf(reading, Number(content['id']));
}
