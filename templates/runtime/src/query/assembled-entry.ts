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
import type { EntrySelection, ItemSelection, Population } from './read-query.ts';

/** Entries behind relations. */
export interface RelatedSource {
  /** The JSON of those entries that the selection shows, by their ids. `withType`: with `__type` as their first attribute. */
  entries(selection: EntrySelection, ids: readonly number[], withType: boolean): Promise<ReadonlyMap<number, unknown>>;
  /** The rows of the same entries, in the order in which they are preferred, by id; for relations between entries. */
  rowsOf(
    type: ContentType,
    ids: readonly number[],
    wanted: string | undefined,
  ): Promise<ReadonlyMap<number, readonly number[]>>;
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

function refused(path: string, what: string): BadRequestError {
  return new BadRequestError(
    `Invalid parameter populate: ${path} can't have ${what}, because the content is a former one`,
  );
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

async function relatedValues(
  holders: readonly Content[],
  population: RelationPopulation,
  source: RelatedSource,
): Promise<unknown[]> {
  const { relation, window, entry, path } = population;
  if (window.filter !== entry.narrowed) throw refused(path, 'filters');
  if (window.sort.length > 0) throw refused(path, 'sort');
  const { target } = relation;
  const many = relation.kind === 'localizations' || relation.many;
  const lists = holders.map((holder) => idsOf(holder, relation));
  const isBetween = relation.kind === 'relation' && relation.shown !== undefined && target.localized;
  const asked = relation.kind === 'relation' ? relation.shown?.wanted : undefined;
  const rows = isBetween
    ? await rowsByLocale(holders, lists, (ids, own) => source.rowsOf(target, ids, asked ?? own))
    : [];
  const rowsFor = (id: number, index: number): readonly number[] => (isBetween ? (rows[index]?.get(id) ?? []) : [id]);
  const all = new Set(lists.flatMap((ids, index) => ids.flatMap((id) => rowsFor(id, index))));
  const found = await source.entries(entry, [...all], false);
  return lists.map((ids, index) => {
    const best = (id: number): readonly number[] =>
      rowsFor(id, index)
        .filter((row) => found.has(row))
        .slice(0, 1);
    const shown = [...new Set(ids.flatMap(best))];
    const entries = part(shown, window).map((id) => found.get(id));
    return valueOfTree(entry.shape.related<unknown>(many ? entries : (entries[0] ?? null)));
  });
}

async function counts(
  holders: readonly Content[],
  { relation, shape, live, narrowed, filter }: Population & { kind: 'count' },
  source: RelatedSource,
): Promise<unknown[]> {
  if (filter !== narrowed) throw refused(relation.name, 'filters');
  const selection: EntrySelection = { type: relation.target, live, narrowed, shape, fields: [], populate: [] };
  const lists = holders.map((holder) => idsOf(holder, relation));
  const found = await source.entries(selection, [...new Set(lists.flat())], false);
  return lists.map((ids) => valueOfTree(shape.count<unknown>(ids.filter((id) => found.has(id)).length)));
}

interface TypedId {
  readonly __type: string;
  readonly id: number;
}

async function morphValues(
  holders: readonly Content[],
  population: Population & { kind: 'morph' },
  source: RelatedSource,
): Promise<unknown[]> {
  const { relation, targets, shape } = population;
  const lists = holders.map((holder) => listed(holder[relation.name]) as readonly TypedId[]);
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

async function itemValues(
  items: readonly Content[],
  selection: ItemSelection,
  source: RelatedSource,
  lead: Attributes = [],
): Promise<unknown[]> {
  const attributes = await attributesOf(items, selection, source);
  return items.map(({ id }, index) => Object.fromEntries([['id', id], ...lead, ...(attributes[index] ?? [])]));
}

async function componentValues(
  holders: readonly Content[],
  { component, window, item }: Population & { kind: 'component' },
  source: RelatedSource,
): Promise<unknown[]> {
  if (window.filter) throw refused(component.name, 'filters');
  if (window.sort.length > 0) throw refused(component.name, 'sort');
  const lists = holders.map((holder) => part(listed(holder[component.name]) as readonly Content[], window));
  const all = (await itemValues(lists.flat(), item, source)).values();
  return lists.map((items) => {
    const own = items.map(() => all.next().value);
    return component.repeatable ? own : (own[0] ?? null);
  });
}

async function zoneValues(
  holders: readonly Content[],
  population: Population & { kind: 'zone' },
  source: RelatedSource,
): Promise<unknown[]> {
  const { zone, items: selections } = population;
  const lists = holders.map((holder) => listed(holder[zone.name]) as readonly Content[]);
  const built = new Map<Content, unknown>();
  for (const selection of selections) {
    const items = lists.flat().filter((item) => item['__component'] === selection.uid);
    const values = await itemValues(items, selection, source, [['__component', selection.uid]]);
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
  holders: readonly Content[],
  population: Population,
  source: RelatedSource,
): Promise<readonly [name: string, values: unknown[]]> {
  switch (population.kind) {
    case 'relation':
      return [population.relation.name, await relatedValues(holders, population, source)];
    case 'count':
      return [population.relation.name, await counts(holders, population, source)];
    case 'morph':
      return [population.relation.name, await morphValues(holders, population, source)];
    case 'component':
      return [population.component.name, await componentValues(holders, population, source)];
    case 'zone':
      return [population.zone.name, await zoneValues(holders, population, source)];
  }
}

async function attributesOf(
  holders: readonly Content[],
  { fields, populate }: Pick<ItemSelection, 'fields' | 'populate'>,
  source: RelatedSource,
): Promise<readonly Attributes[]> {
  const populated: (readonly [string, unknown[]])[] = [];
  if (holders.length > 0) for (const one of populate) populated.push(await populatedValues(holders, one, source));
  return holders.map((holder, index) => [
    ...fields.map(
      (field) =>
        [field.name, field.isUnset ? null : shownScalar(field.columnType, valueIn(holder, field) ?? null)] as const,
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
  const attributes = await attributesOf(contents, entry, source);
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
