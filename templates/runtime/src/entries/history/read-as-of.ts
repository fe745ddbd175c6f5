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
import { rowsOf } from '../../query/pagination.ts';
import type { EntrySelection, LocaleFilter } from '../../query/read-query.ts';
import type { Selected } from '../../query/selected-entries.ts';
import { transformEntry, transformList } from '../hooks.ts';
import type { TypeContext } from '../context.ts';
import { amongWhich } from '../rules/action-rules.ts';
import { refuseAsOf } from './as-of-time.ts';
import { completeSince } from './complete-since.ts';
import { contentsAt, countAt, listAt, type LocaleRow, rowsEver } from './former-contents.ts';

/** What former content can't be asked: that takes indexes of what entries contain now. */
const REFUSED = ['filters', 'sort', '_q', 'publicationFilter', 'hasPublishedVersion'] as const;

/** A read as of a time. */
interface Reading {
  readonly context: TypeContext;
  readonly request: EntryRequest;
  readonly selected: Selected;
  readonly time: number;
}

function refuseQuestions({ query }: EntryRequest): void {
  const tree = query.tree();
  const asked = REFUSED.find((name) => ownValue(tree, name) !== undefined);
  if (asked === undefined) return;
  throw new BadRequestError(
    `Invalid parameter ${asked}: it can't be combined with asOf, which lists entries in the order of their ids`,
  );
}

/** Throws BadRequestError for a type without a history, and for a time before it. */
async function requireKnown({ context: { database }, time }: Reading, { uid, history }: ContentType): Promise<void> {
  if (!history) return refuseAsOf(uid);
  const since = await completeSince(database, uid);
  if (since !== undefined && since <= time) return;
  const begin = since === undefined ? 'has only just begun' : `is complete since ${new Date(since).toISOString()}`;
  throw new BadRequestError(`Invalid parameter asOf: the history of ${uid} ${begin}`);
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

/** What has no versions. */
const SHOWN_AS_NOW: ReadonlySet<string> = new Set(['file', 'user']);

/** Entries behind relations as they were; files and users are shown as they are now. */
function sourceAt(reading: Reading): RelatedSource {
  const { context, selected, time } = reading;
  const { database, types } = context;
  const known = new Map<string, Promise<void>>();
  const requireOnce = (type: ContentType): Promise<void> => {
    const found = known.get(type.uid) ?? requireKnown(reading, type);
    known.set(type.uid, found);
    return found;
  };
  const source: RelatedSource = {
    async entries(entry, ids, withType) {
      const { type } = entry;
      if (SHOWN_AS_NOW.has(type.uid)) return selected.source.entries(entry, ids, withType);
      await requireOnce(type);
      selected.budget.entries(ids.length, undefined);
      const seen = entry.narrowed === undefined ? new Set(ids) : await selected.seen(entry, ids);
      const contents = await contentsAt(database, types, type, { ids: ids.filter((id) => seen.has(id)), time });
      const all = await withLocales(reading, type, [...contents.values()]);
      const shown = await assembled(all, entry, source, withType);
      return new Map(all.map(({ id }, index) => [Number(id), shown[index]]));
    },
    async rowsOf(type, ids, wanted) {
      const locales = [...(wanted === undefined ? [] : [wanted]), ...types.locales];
      const rank = ({ locale }: LocaleRow): number => locales.indexOf(locale);
      const rows = await rowsEver(database, type, ids);
      return new Map(
        [...rows].map(([id, all]) => [id, all.toSorted((a, b) => rank(a) - rank(b)).map((one) => one.id)]),
      );
    },
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
  const reading = { context, request, selected, time };
  await requireKnown(reading, type);
  return reading;
}

async function shown(reading: Reading, entry: EntrySelection, contents: readonly Content[]) {
  const { selected } = reading;
  const all = await withLocales(reading, entry.type, contents);
  const entries = await assembled(all, entry, sourceAt(reading));
  // Entries that stand in many places are assembled once: what they would take together is known before it is built.
  selected.budget.size(jsonLength(entries), undefined);
  return entries;
}

/** Those of the ids whose history the caller may see. */
async function permitted({ context, request, selected }: Reading, ids: readonly number[]): Promise<readonly number[]> {
  const { entry } = selected.query;
  const seen = entry.narrowed === undefined ? new Set(ids) : await selected.seen(entry, ids);
  const allowed = await amongWhich(context, ids, request, { question: 'history' });
  return ids.filter((id) => seen.has(id) && allowed.has(id));
}

function localeIn({ types, type }: TypeContext, locale: LocaleFilter | undefined): string | undefined {
  if (!type.localized || locale?.kind === 'all') return undefined;
  return locale?.locale ?? types.locales[0];
}

export async function listAsOf(context: TypeContext, request: EntryRequest, time: number): Promise<ListAnswer> {
  const reading = await open(context, request, { time, of: 'list' });
  const { database, types, hooks } = context;
  const { query } = reading.selected;
  const { page } = query;
  if (!page || page.kind === 'keyset') {
    throw new BadRequestError("Invalid parameter pagination.after: a list as of a time can't be read with a cursor");
  }
  const { type } = query.entry;
  const among = reading.selected.among(query.entry);
  const listed = { time, locale: localeIn(context, query.locale), among };
  const contents = await listAt(database, types, type, { ...listed, ...rowsOf(page) });
  const ids = new Set(
    await permitted(
      reading,
      contents.map(({ id }) => Number(id)),
    ),
  );
  reading.selected.budget.entries(contents.length, undefined);
  const entries = await shown(
    reading,
    query.entry,
    contents.filter(({ id }) => ids.has(Number(id))),
  );
  const total = page.withCount ? await countAt(database, types, type, { ...listed, most: query.maxCount }) : undefined;
  const answer = listAnswer({ data: Buffer.from(JSON.stringify(entries)) }, page, total);
  return transformList(hooks, answer, request);
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
  const { entry } = selected.query;
  const [found] = await permitted(reading, [id]);
  const contents =
    found === undefined
      ? new Map<number, Content>()
      : await contentsAt(database, types, entry.type, { ids: [id], time });
  const [one] = await shown(reading, entry, [...contents.values()]);
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
  const { entry, locale } = reading.selected.query;
  const listed = { time, locale: localeIn(context, locale), among: undefined };
  const [content] = await listAt(database, types, entry.type, { ...listed, start: 0, limit: 1 });
  if (!content) throw new NotFoundError();
  return oneAsOf(reading, Number(content['id']));
}
