/** What the routes of a history do: lists versions, shows one or what differs between two, and restores one. */
import type { EntryVersion } from '../../contract/history/history-answers.ts';
import { jsonLength } from '../../base/cost/json-length.ts';
import { NotFoundError } from '../../contract/errors.ts';
import type { Client } from '../../base/client.ts';
import { sql } from '../../database/sql.ts';
import { bareAnswer, entryAnswer, type EntryAnswer } from '../../query/answer.ts';
import { assembled, type RelatedSource } from '../../query/assembled-entry.ts';
import { compileContentText, type Content } from '../../query/content-text.ts';
import type { EntryRequest } from '../../query/entry-request.ts';
import { V4 } from '../../query/format.ts';
import type { ContentSource } from '../../query/given/given-rows.ts';
import { matchingItems } from '../../query/given/matching-contents.ts';
import { invalidParameter, invalidValue } from '../../query/invalid-parameter.ts';
import { queryOf } from '../../query/query-of.ts';
import { isQueryObject, ownValue, type QueryObject, textOf } from '../../query/query-value.ts';
import type { EntrySelection } from '../../query/read-query.ts';
import type { Selected } from '../../query/selected-entries.ts';
import type { TypeContext } from '../context.ts';
import { asDraft } from '../documents/document-state.ts';
import { transformEntry } from '../hooks.ts';
import type { ActionTarget } from '../publication-actions.ts';
import { existing, saveEntry } from '../save-entry.ts';
import type { FoundEntry } from '../stored-entry.ts';
import { type Version, versionOf } from './content.ts';
import { differencesBetween } from './differences.ts';
import { reachedEntry } from './reached-entry.ts';
import { restoredData } from './restored-data.ts';
import { shownVersions } from './shown-version.ts';
import { withVisibleLists } from './visible-lists.ts';
import { findVersion, listVersions, type StoredVersion } from './version-rows.ts';

const PAGE_SIZE = 25;
const MAX_PAGE_SIZE = 100;
const WHOLE = /^\d{1,15}$/u;
const PAGE_PARAMETERS: ReadonlySet<string> = new Set(['after', 'pageSize']);

function pageOf(tree: QueryObject): { readonly pageSize: number; readonly before: number | undefined } {
  const given = ownValue(tree, 'pagination') ?? {};
  if (!isQueryObject(given)) throw invalidParameter('pagination');
  const unknown = Object.keys(given).find((name) => !PAGE_PARAMETERS.has(name));
  if (unknown !== undefined) throw invalidValue(`pagination.${unknown}`, 'a history has after and pageSize');
  const number = (name: string): number | undefined => {
    const value = ownValue(given, name);
    const text = value === undefined ? '' : textOf(value, name);
    if (text === '') return undefined;
    if (!WHOLE.test(text)) throw invalidValue(`pagination.${name}`, 'must be a whole number');
    return Number(text);
  };
  const pageSize = Math.min(Math.max(number('pageSize') ?? PAGE_SIZE, 1), MAX_PAGE_SIZE);
  return { pageSize, before: number('after') };
}

export async function listHistory(
  context: TypeContext,
  target: ActionTarget,
  request: EntryRequest,
): Promise<EntryAnswer> {
  const { database, types, type } = context;
  const { pageSize, before } = pageOf(request.query.tree());
  const { id } = await reachedEntry(context, target, request);
  const rows = await listVersions(database, { uid: type.uid, id }, { before, most: pageSize + 1 });
  const page = rows.slice(0, pageSize);
  const next = rows.length > pageSize ? String(page.at(-1)?.id) : null;
  const data = await shownVersions(database, types, page);
  return bareAnswer({ data, meta: { pagination: { pageSize, next } } }, undefined);
}

/** A version of the entry. Throws NotFoundError. */
async function storedVersion({ database, type }: TypeContext, id: number, text: string): Promise<StoredVersion> {
  const version = WHOLE.test(text) ? Number(text) : undefined;
  const found = version === undefined ? undefined : await findVersion(database, { uid: type.uid, id }, version);
  if (!found) throw new NotFoundError();
  return found;
}

function read({ types, type }: TypeContext, { content, renames: seen }: StoredVersion): Version {
  return versionOf(types, type, content, (types.renames ?? []).slice(seen));
}

async function shown({ database, types }: TypeContext, row: StoredVersion): Promise<EntryVersion | undefined> {
  return (await shownVersions(database, types, [row]))[0];
}

/** What a version shows of the other locales: those that the entry has now. */
async function withLocales({ database, type }: TypeContext, content: Content, id: number): Promise<Content> {
  if (!type.localized) return content;
  const table = database.dialect.id(type.table);
  const rows = await database.all(
    sql`SELECT o.id, o.locale FROM ${table} AS t JOIN ${table} AS o ON o.document_id = t.document_id AND o.id <> t.id WHERE t.id = ${id} ORDER BY o.id`,
  );
  const others = rows.map((row) => ({ id: Number(row['id']), locale: String(row['locale']) }));
  return { ...content, localizations: others.map((other) => other.id), availableLocales: others };
}

/** What a version refers to, as it is now. */
function sourceNow({ database }: TypeContext, { source, seen }: Selected, client: Client | undefined): RelatedSource {
  const stored: ContentSource = {
    contents: async () => new Map(),
    stored: (visible, ids) => seen(visible, ids),
    rowsOf: source.rowsOf,
    count: () => undefined,
  };
  const given = { source: stored, isStored: () => true, options: () => ({ client }) };
  return {
    ...source,
    matchingItems: (of, question, items) => matchingItems(database, { ...of, ...question }, items, given),
  };
}

async function showOne(
  context: TypeContext,
  stored: FoundEntry,
  text: string,
  request: EntryRequest,
): Promise<EntryAnswer> {
  const { reader, type, hooks } = context;
  const selected = await reader.selection(type, request, 'draft');
  const { query, budget } = selected;
  const source = sourceNow(context, selected, request.client);
  const row = await storedVersion(context, stored.id, text);
  const { content, dropped } = read(context, row);
  const visible = await withVisibleLists(context, { id: stored.id, content, row }, query.entry.populate);
  const [entry] = await assembled([await withLocales(context, visible, stored.id)], query.entry, source);
  budget.size(jsonLength(entry), undefined);
  const answer = entryAnswer({ text: JSON.stringify(entry), version: row.id });
  const transformed = await transformEntry(hooks, answer, request);
  const history = { ...(await shown(context, row)), ...(Object.keys(dropped).length > 0 && { dropped }) };
  return bareAnswer({ data: transformed.entry(), meta: { history } }, undefined);
}

/** Everything that the caller may see of the type, and of related drafts: where these need a right that is lacking, what is published. */
const EVERYTHING = queryOf({ fields: ['*'], populate: ['*'], status: 'draft' });

/** The entries behind relations that may be shown, among those of the contents: others are hidden by a rule. */
async function seenBy(
  { query, seen }: Selected,
  contents: readonly Content[],
): Promise<(attribute: string, id: number) => boolean> {
  const hidden = new Set<string>();
  for (const population of query.entry.populate) {
    if (population.kind !== 'relation' || (population.entry.narrowed === undefined && !population.entry.live)) continue;
    const { name } = population.relation;
    const ids = [...new Set(contents.flatMap((content) => [content[name] ?? []].flat()))].map(Number);
    const found = ids.length === 0 ? new Set<number>() : await seen(population.entry, ids);
    for (const id of ids) if (!found.has(id)) hidden.add(`${name} ${id}`);
  }
  return (attribute, id) => !hidden.has(`${attribute} ${id}`);
}

/** Versions refer to drafts, which the caller may not see where only what is published is selected. */
function isOpen({ live, type }: EntrySelection): boolean {
  return !live || !type.draftAndPublish;
}

function namesIn({ query: { entry } }: Selected): ReadonlySet<string> {
  const populated = entry.populate.flatMap((one) => {
    switch (one.kind) {
      case 'component':
        return [one.component.name];
      case 'zone':
        return [one.zone.name];
      case 'morph':
        return one.targets.some((target) => isOpen(target.entry)) ? [one.relation.name] : [];
      case 'relation':
        return isOpen(one.entry) ? [one.relation.name] : [];
      case 'count':
        return [one.relation.name];
    }
  });
  return new Set([...entry.fields.map(({ name }) => name), ...populated]);
}

async function compare(
  context: TypeContext,
  stored: FoundEntry,
  [from = '', to = '']: readonly string[],
  request: EntryRequest,
): Promise<EntryAnswer> {
  const { reader, types, type } = context;
  const { caller, requestId, client } = request;
  const rows = [await storedVersion(context, stored.id, from), await storedVersion(context, stored.id, to)] as const;
  const selected = await reader.selection(type, { caller, requestId, client, query: EVERYTHING, format: V4 }, 'draft');
  const [before, after] = [read(context, rows[0]).content, read(context, rows[1]).content];
  const names = namesIn(selected);
  const attributes = Object.fromEntries(Object.entries(type.attributes).filter(([name]) => names.has(name)));
  const isSeen = await seenBy(selected, [before, after]);
  const data = differencesBetween({ types, caller, isSeen }, attributes, [before, after]);
  const [one, other] = [await shown(context, rows[0]), await shown(context, rows[1])];
  return bareAnswer({ data, meta: { from: one, to: other } }, undefined);
}

export async function showVersion(
  context: TypeContext,
  target: ActionTarget,
  version: string,
  request: EntryRequest,
): Promise<EntryAnswer> {
  const stored = await reachedEntry(context, target, request);
  const two = version.split('..');
  return two.length === 2 ? compare(context, stored, two, request) : showOne(context, stored, version, request);
}

function ignoresMissing(tree: QueryObject): boolean {
  const value = ownValue(tree, 'missing');
  const text = value === undefined ? '' : textOf(value, 'missing');
  if (text !== '' && text !== 'ignore') throw invalidValue('missing', 'must be ignore');
  return text === 'ignore';
}

/** What the entry, or its draft, contains now. */
async function currentContent({ database, types, type }: TypeContext, id: number): Promise<Content> {
  const { alias, from, text } = compileContentText(database.dialect, types, type);
  const row = await database.get(sql`SELECT ${text} AS content FROM ${from} WHERE ${alias}.id = ${id}`);
  if (!row) throw new NotFoundError();
  return versionOf(types, type, String(row['content']), []).content;
}

export async function restoreVersion(
  context: TypeContext,
  target: ActionTarget,
  version: string,
  request: EntryRequest,
): Promise<EntryAnswer> {
  const { reader, type, hooks } = context;
  const missing = ignoresMissing(request.query.tree());
  const reached = await reachedEntry(context, target, request);
  const row = await storedVersion(context, reached.id, version);
  const { content: former } = read(context, row);
  const cause = `restore ${row.id}` as const;
  const { entry } = await saveEntry(
    context,
    { ...request, cause },
    {
      given: {},
      action: 'update',
      async read() {
        const checked = { ...(await reader.check(type, request)), alone: type.draftAndPublish };
        const current = await currentContent(context, reached.id);
        const restoring = { context, call: request, ignoresMissing: missing };
        const data = await restoredData(restoring, type.attributes, { former, current });
        return { checked, data: asDraft(data, checked) };
      },
      resolve: async () => existing(await reachedEntry(context, target, request)),
    },
  );
  return transformEntry(hooks, entryAnswer(entry), request);
}
