/**
 * Builds the JSON of entries from stored content (see `content-text.ts`) as a query selects it: what the database does for entries as they
 * are now. What relations lead to comes from a source; each level asks it once for all of its entries.
 */
import { BadRequestError } from '../contract/errors.ts';
import { type ContentType, isInverseStorage } from '../contract/content-type.ts';
import { typeName } from '../contract/type-name.ts';
import type { JsonTree } from './compile/json-tree.ts';
import { type Content, MAX_INVERSE_LISTED } from './content-text.ts';
import { shownScalar, valueIn } from './content-value.ts';
import type { EntrySelection, ItemSelection, Population, Question, VisibleEntries } from './read-query.ts';
import type { ReadableComponent } from './readable-attributes.ts';

/** What has attributes: an entry, or an item of one of its components. */
export interface Holder {
  readonly content: Content;
  /** That of the entry. */
  readonly locale: unknown;
}

/** Which of some entries are there and visible, and which of these match a question, in order. */
export interface Matching {
  readonly seen: ReadonlySet<number>;
  readonly ids: readonly number[];
}

/** Entries behind relations, and what is asked of them and of items. */
export interface RelatedSource {
  /** The JSON of those entries that the selection shows, by their ids. `withType`: with `__type` as their first attribute. */
  entries(selection: EntrySelection, ids: readonly number[], withType: boolean): Promise<ReadonlyMap<number, unknown>>;
  matching(entries: VisibleEntries, question: Question, ids: readonly number[]): Promise<Matching>;
  /** The indexes of those items of a component of a type that match, in order. */
  matchingItems(
    of: { readonly type: ContentType; readonly component: ReadableComponent },
    question: Question,
    items: readonly Holder[],
  ): Promise<readonly number[]>;
  /** The rows of the same entries, in the order in which they are preferred, by id; for relations between entries. */
  rowsOf(
    type: ContentType,
    ids: readonly number[],
    wanted: string | undefined,
  ): Promise<ReadonlyMap<number, readonly number[]>>;
}

/** The type of the entries to which everything of a level belongs, and what their relations lead to. */
interface Assembling {
  readonly type: ContentType;
  readonly source: RelatedSource;
}

type RelationPopulation = Population & { kind: 'relation' };

type Attributes = (readonly [name: string, value: unknown])[];

function valueOfTree(tree: JsonTree<unknown>): unknown {
  if (tree.kind === 'value') return tree.value;
  if (tree.kind === 'emptyArray') return [];
  return Object.fromEntries(tree.members.map(([name, member]) => [name, valueOfTree(member)]));
}

/** The members of a list, or of what is a single one. */
export function listed(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === null || value === undefined ? [] : [value];
}

function part<T>(all: readonly T[], { start, limit }: { readonly start: number; readonly limit: number | undefined }) {
  return all.slice(start, limit === undefined ? undefined : start + limit);
}

/** The ids of a list. `refuse`: what to do with a list of another entry's that was too long to be kept. */
export function keptIds(
  holder: Content,
  relation: RelationPopulation['relation'],
  refuse: (most: number) => never,
): readonly number[] {
  const ids = listed(holder[relation.name]).map(Number);
  const isWhole = relation.kind === 'localizations' || !isInverseStorage(relation.storage);
  return isWhole || ids.length <= MAX_INVERSE_LISTED ? ids : refuse(MAX_INVERSE_LISTED);
}

/** Throws BadRequestError for a list that was too long to be kept. */
function idsOf(holder: Content, relation: RelationPopulation['relation']): readonly number[] {
  return keptIds(holder, relation, (most) => {
    throw new BadRequestError(
      `Invalid parameter populate: ${relation.name} had more than ${most} entries, and such a list is not kept`,
    );
  });
}

type RowsOf = Awaited<ReturnType<RelatedSource['rowsOf']>>;

/** For each holder the rows of the entries in its list, as its own locale prefers them. */
export async function rowsByLocale(
  holders: readonly { readonly locale?: unknown }[],
  lists: readonly (readonly number[])[],
  rowsOf: (ids: readonly number[], own: string | undefined) => Promise<RowsOf>,
): Promise<readonly (RowsOf | undefined)[]> {
  const locales = holders.map(({ locale }) => (typeof locale === 'string' ? locale : undefined));
  const found = new Map<string | undefined, RowsOf>();
  for (const own of new Set(locales)) {
    const ids = new Set(lists.filter((_, index) => locales[index] === own).flat());
    found.set(own, await rowsOf([...ids], own));
  }
  return locales.map((own) => found.get(own));
}

/** The rows that the lists of holders lead to. */
interface Lists {
  readonly all: readonly number[];
  /** For each holder its rows that are seen, in order: of each entry the one that its locale prefers. */
  among(seen: { readonly has: (id: number) => boolean }): readonly (readonly number[])[];
}

async function listsOf(
  holders: readonly Holder[],
  relation: RelationPopulation['relation'],
  source: RelatedSource,
): Promise<Lists> {
  const { target } = relation;
  const lists = holders.map(({ content }) => idsOf(content, relation));
  const shown = relation.kind === 'relation' && target.localized ? relation.shown : undefined;
  const rows = shown
    ? await rowsByLocale(holders, lists, (ids, own) => source.rowsOf(target, ids, shown.wanted ?? own))
    : undefined;
  const rowsFor = (id: number, index: number): readonly number[] => (rows ? (rows[index]?.get(id) ?? []) : [id]);
  return {
    all: [...new Set(lists.flatMap((ids, index) => ids.flatMap((id) => rowsFor(id, index))))],
    among: (seen) =>
      lists.map((ids, index) => {
        const best = (id: number): readonly number[] =>
          rowsFor(id, index)
            .filter((row) => seen.has(row))
            .slice(0, 1);
        return [...new Set(ids.flatMap(best))];
      }),
  };
}

function asksMore({ filter, sort }: Question): boolean {
  return filter !== undefined || sort.length > 0;
}

/** Those of the rows of each holder that match, in order. */
async function matchingLists(
  lists: Lists,
  entry: VisibleEntries,
  question: Question,
  source: RelatedSource,
): Promise<readonly (readonly number[])[]> {
  const { seen, ids } = await source.matching(entry, question, lists.all);
  const ranks = new Map(ids.map((id, rank) => [id, rank]));
  const rankOf = (id: number): number => ranks.get(id) ?? 0;
  return lists.among(seen).map((own) => {
    const matching = own.filter((id) => ranks.has(id));
    return question.sort.length === 0 ? matching : matching.sort((a, b) => rankOf(a) - rankOf(b));
  });
}

async function relatedValues(
  holders: readonly Holder[],
  { relation, window, entry }: RelationPopulation,
  { source }: Assembling,
): Promise<unknown[]> {
  const many = relation.kind === 'localizations' || relation.many;
  const valueOf = (ids: readonly number[], found: ReadonlyMap<number, unknown>): unknown => {
    const entries = ids.map((id) => found.get(id));
    return valueOfTree(entry.shape.related<unknown>(many ? entries : (entries[0] ?? null)));
  };
  const lists = await listsOf(holders, relation, source);
  const shownOf = (ids: readonly number[]): readonly number[] => (many ? part(ids, window) : ids.slice(0, 1));
  const question = { filter: window.asked, sort: window.sort };
  if (!asksMore(question)) {
    const found = await source.entries(entry, lists.all, false);
    return lists.among(found).map((ids) => valueOf(shownOf(ids), found));
  }
  const shown = (await matchingLists(lists, entry, question, source)).map(shownOf);
  const found = await source.entries(entry, [...new Set(shown.flat())], false);
  return shown.map((ids) => valueOf(ids, found));
}

async function counts(
  holders: readonly Holder[],
  { relation, shape, live, narrowed, asked }: Population & { kind: 'count' },
  { source }: Assembling,
): Promise<unknown[]> {
  const selection: EntrySelection = { type: relation.target, live, narrowed, shape, fields: [], populate: [] };
  const lists = await listsOf(holders, relation, source);
  const counted = asked
    ? await matchingLists(lists, selection, { filter: asked, sort: [] }, source)
    : lists.among(await source.entries(selection, lists.all, false));
  return counted.map((ids) => valueOfTree(shape.count<unknown>(ids.length)));
}

interface TypedId {
  readonly __type: string;
  readonly id: number;
}

async function morphValues(
  holders: readonly Holder[],
  population: Population & { kind: 'morph' },
  { source }: Assembling,
): Promise<unknown[]> {
  const { relation, targets, shape } = population;
  const lists = holders.map(({ content }) => listed(content[relation.name]) as readonly TypedId[]);
  const found = new Map<string, unknown>();
  for (const { entry } of targets) {
    const name = typeName(entry.type.uid);
    const ids = lists.flat().flatMap(({ __type, id }) => (__type === name ? [id] : []));
    for (const [id, one] of await source.entries(entry, [...new Set(ids)], true)) found.set(`${name} ${id}`, one);
  }
  return lists.map((list) => {
    const shown = list.flatMap(({ __type, id }) => found.get(`${__type} ${id}`) ?? []);
    const entries = part(shown, population);
    return valueOfTree(shape.morph<unknown>(relation.many ? entries : (entries[0] ?? null)));
  });
}

/** The items of an attribute, for each holder. */
function itemsOf(holders: readonly Holder[], name: string): readonly (readonly Holder[])[] {
  return holders.map(({ content, locale }) =>
    listed(content[name]).map((item) => ({ content: item as Content, locale })),
  );
}

async function itemValues(
  items: readonly Holder[],
  selection: ItemSelection,
  assembling: Assembling,
  lead: Attributes = [],
): Promise<unknown[]> {
  const attributes = await attributesOf(items, selection, assembling);
  return items.map(({ content: { id } }, index) =>
    Object.fromEntries([['id', id], ...lead, ...(attributes[index] ?? [])]),
  );
}

/** Those of the items of each holder that match, in order. */
async function matchingItems(
  lists: readonly (readonly Holder[])[],
  { component, window }: Population & { kind: 'component' },
  { source, type }: Assembling,
): Promise<readonly (readonly Holder[])[]> {
  const question = { filter: window.asked, sort: window.sort };
  const all = lists.flat();
  if (!asksMore(question) || all.length === 0) return lists;
  const owners = lists.flatMap((items, index) => items.map(() => index));
  const found = lists.map((): Holder[] => []);
  for (const at of await source.matchingItems({ type, component }, question, all)) {
    const item = all[at];
    if (item) found[owners[at] ?? 0]?.push(item);
  }
  return found;
}

async function componentValues(
  holders: readonly Holder[],
  population: Population & { kind: 'component' },
  assembling: Assembling,
): Promise<unknown[]> {
  const { component, window, item } = population;
  const matching = await matchingItems(itemsOf(holders, component.name), population, assembling);
  const lists = component.repeatable ? matching.map((items) => part(items, window)) : matching;
  const all = (await itemValues(lists.flat(), item, assembling)).values();
  return lists.map((items) => {
    const own = items.map(() => all.next().value);
    return component.repeatable ? own : (own[0] ?? null);
  });
}

async function zoneValues(
  holders: readonly Holder[],
  population: Population & { kind: 'zone' },
  assembling: Assembling,
): Promise<unknown[]> {
  const { zone, items: selections } = population;
  const lists = itemsOf(holders, zone.name);
  const built = new Map<Holder, unknown>();
  for (const selection of selections) {
    const items = lists.flat().filter(({ content }) => content['__component'] === selection.uid);
    const values = await itemValues(items, selection, assembling, [['__component', selection.uid]]);
    for (const [index, item] of items.entries()) built.set(item, values[index]);
  }
  return lists.map((items) =>
    part(
      items.flatMap((item) => (built.has(item) ? [built.get(item)] : [])),
      population,
    ),
  );
}

async function populatedValues(
  holders: readonly Holder[],
  population: Population,
  assembling: Assembling,
): Promise<readonly [name: string, values: unknown[]]> {
  switch (population.kind) {
    case 'relation':
      return [population.relation.name, await relatedValues(holders, population, assembling)];
    case 'count':
      return [population.relation.name, await counts(holders, population, assembling)];
    case 'morph':
      return [population.relation.name, await morphValues(holders, population, assembling)];
    case 'component':
      return [population.component.name, await componentValues(holders, population, assembling)];
    case 'zone':
      return [population.zone.name, await zoneValues(holders, population, assembling)];
  }
}

async function attributesOf(
  holders: readonly Holder[],
  { fields, populate }: Pick<ItemSelection, 'fields' | 'populate'>,
  assembling: Assembling,
): Promise<readonly Attributes[]> {
  const populated: (readonly [string, unknown[]])[] = [];
  if (holders.length > 0) for (const one of populate) populated.push(await populatedValues(holders, one, assembling));
  return holders.map(({ content }, index) => [
    ...fields.map(
      (field) =>
        [field.name, field.isUnset ? null : shownScalar(field.columnType, valueIn(content, field) ?? null)] as const,
    ),
    ...populated.map(([name, values]) => [name, values[index]] as const),
  ]);
}

/** The JSON of entries, in the order of their contents. Throws BadRequestError for what former content can't be asked. */
export async function assembled(
  contents: readonly Content[],
  entry: EntrySelection,
  source: RelatedSource,
  withType = false,
): Promise<readonly unknown[]> {
  const { type, shape } = entry;
  const holders = contents.map((content) => ({ content, locale: type.localized ? content['locale'] : undefined }));
  const attributes = await attributesOf(holders, entry, { type, source });
  const lead: Attributes = withType ? [['__type', typeName(type.uid)]] : [];
  return contents.map((content, index) =>
    valueOfTree(
      shape.entry<unknown>({
        id: content['id'],
        documentId: type.documentIds ? content['documentId'] : undefined,
        attributes: [...lead, ...(attributes[index] ?? [])],
        locales: () => (type.localized ? (content['availableLocales'] ?? []) : undefined),
      }),
    ),
  );
}
