/** The rows of a query's own tables, made of the contents of entries. */
import type { ColumnType } from '../../contract/attribute-types/column-type.ts';
import { castScalar } from '../../contract/attribute-types/scalar-type.ts';
import { COLUMN_NAMES as NAMES } from '../../contract/column-names.ts';
import { BadRequestError } from '../../contract/errors.ts';
import { type Holder, keptIds, listed, type RelatedSource, rowsByLocale } from '../assembled-entry.ts';
import type { Content } from '../content-text.ts';
import { valueIn } from '../content-value.ts';
import type { ReadableRelation, ReadableScalar } from '../readable-attributes.ts';
import type { VisibleEntries } from '../read-query.ts';
import { LINK_COLUMNS, type Place, type Used, type UsedRelation } from './places.ts';

/** What a query reads: which entries, and how many of them it may look through. */
export interface ContentSource extends Pick<RelatedSource, 'rowsOf'> {
  /** The contents of those of the entries that are there and visible. */
  contents(entries: VisibleEntries, ids: readonly number[]): Promise<ReadonlyMap<number, Content>>;
  /** Those of the ids whose entries the database has, and that are visible. */
  stored(entries: VisibleEntries, ids: readonly number[]): Promise<ReadonlySet<number>>;
  /** Throws BadRequestError if that makes too many rows. */
  count(rows: number): void;
}

/** A table: each row is JSON, with a member for each column. */
export interface GivenTable {
  readonly name: string;
  readonly columns: readonly (readonly [name: string, type: ColumnType])[];
  /** Columns with components. */
  readonly components: readonly string[];
  readonly rows: readonly string[];
}

/** An entry, or an item of one of its components, with the id of the entry. */
interface OwnedHolder extends Holder {
  readonly owner: number;
}

/** A value as items of components have it. */
function storedValue(field: ReadableScalar, content: Content): unknown {
  const value = valueIn(content, field);
  if (value === null || value === undefined) return null;
  const cast = castScalar(field.type, value);
  return cast.ok ? cast.value : value;
}

function storedItem(content: unknown, used: Used): unknown {
  if (content === null || content === undefined) return null;
  if (Array.isArray(content)) return content.map((one) => storedItem(one, used));
  return { id: (content as Content)['id'], ...storedMembers(content as Content, used) };
}

function storedMembers(content: Content, { fields, components }: Used): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const field of fields.values()) members[field.column] = storedValue(field, content);
  for (const { component, items } of components.values()) {
    members[component.column] = storedItem(content[component.name], items);
  }
  return members;
}

/** JSON is compared as text. */
function withTexts(members: Record<string, unknown>, { fields }: Used): Record<string, unknown> {
  for (const { column, columnType } of fields.values()) {
    const value = members[column];
    if (columnType === 'json' && value !== null) members[column] = JSON.stringify(value);
  }
  return members;
}

function entriesTable({ type, used }: Place, contents: ReadonlyMap<number, Content>): GivenTable {
  const { fields, components } = used;
  const others = [...fields.values()].filter(({ column }) => column !== 'id');
  return {
    name: type.table,
    columns: [['id', 'biginteger'], ...others.map(({ column, columnType }) => [column, columnType] as const)],
    components: [...components.values()].map(({ component }) => component.column),
    rows: [...contents].map(([id, content]) =>
      JSON.stringify({ ...withTexts(storedMembers(content, used), used), id }),
    ),
  };
}

/** A list that was too long is not kept. */
function refuseLong({ name }: ReadableRelation, most: number): never {
  throw new BadRequestError(
    `Invalid parameter filters: ${name} had more than ${most} entries, and such a list is not kept: filter its entries from their side`,
  );
}

/** The rows that the lists of holders lead to: for each holder in the order of its list. */
async function membersOf(
  holders: readonly OwnedHolder[],
  { relation, seen, target: place }: UsedRelation,
  source: ContentSource,
): Promise<{ readonly lists: readonly (readonly number[])[]; readonly contents: ReadonlyMap<number, Content> }> {
  const { target, shown } = relation;
  const lists = holders.map(({ content }) => keptIds(content, relation, (most) => refuseLong(relation, most)));
  const locales = holders.map(({ locale }) => ({ locale }));
  const between =
    shown && target.localized
      ? await rowsByLocale(locales, lists, (ids, own) => source.rowsOf(target, ids, shown.wanted ?? own))
      : undefined;
  const rowsFor = (id: number, index: number): readonly number[] => (between ? (between[index]?.get(id) ?? []) : [id]);
  const all = [...new Set(lists.flatMap((ids, index) => ids.flatMap((id) => rowsFor(id, index))))];
  source.count(all.length);
  const visible = { type: target, ...seen };
  const contents = place ? await source.contents(visible, all) : new Map<number, Content>();
  const found = place ? contents : await source.stored(visible, all);
  const best = (id: number, index: number): readonly number[] =>
    rowsFor(id, index)
      .filter((row) => found.has(row))
      .slice(0, 1);
  return { lists: lists.map((ids, index) => [...new Set(ids.flatMap((id) => best(id, index)))]), contents };
}

/** The items of components that an entry has, with what the query uses of them. */
function itemsOf(
  holders: readonly OwnedHolder[],
  { components }: Used,
): readonly { used: Used; items: readonly OwnedHolder[] }[] {
  return [...components.values()].flatMap(({ component, items: used }) => {
    const items = holders.flatMap(({ content, ...rest }) =>
      listed(content[component.name]).map((item) => ({ ...rest, content: item as Content })),
    );
    return [{ used, items }, ...itemsOf(items, used)];
  });
}

const ID = 'biginteger';
const { own, other, position } = LINK_COLUMNS;

/** Fills the table of a place with entries, and all that its relations lead to. */
export async function givenTables(
  place: Place,
  contents: ReadonlyMap<number, Content>,
  source: ContentSource,
): Promise<readonly GivenTable[]> {
  const tables: GivenTable[] = [entriesTable(place, contents)];
  const follow = async (way: UsedRelation, holders: readonly OwnedHolder[], rowOf: (holder: OwnedHolder) => object) => {
    const { lists, contents: reached } = await membersOf(holders, way, source);
    const rows = lists.flatMap((ids, index) => {
      const holder = holders[index];
      if (!holder) return [];
      const row = rowOf(holder);
      return ids.map((id, at) => JSON.stringify({ ...row, [other]: id, [position]: at }));
    });
    source.count(rows.length);
    if (way.target) tables.push(...(await givenTables(way.target, reached, source)));
    return rows;
  };
  const holders = [...contents].map(([id, content]): OwnedHolder => ({
    owner: id,
    locale: content['locale'],
    content,
  }));
  for (const way of place.used.relations.values()) {
    const rows = await follow(way, holders, (holder) => ({ [own]: holder.owner }));
    const columns = [own, other, position].map((name) => [name, ID] as const);
    tables.push({ name: way.links, columns, components: [], rows });
  }
  const ofItems: string[] = [];
  for (const { used, items } of itemsOf(holders, place.used)) {
    for (const way of used.relations.values()) {
      const rowOf = ({ owner, content }: OwnedHolder) => ({
        [NAMES.owner]: owner,
        [NAMES.item]: content['id'],
        [NAMES.itemAttribute]: way.relation.name,
      });
      ofItems.push(...(await follow(way, items, rowOf)));
    }
  }
  const { table = '', targets = {} } = place.type.componentLinks ?? {};
  if (Object.keys(targets).length > 0) {
    const columns = [NAMES.owner, NAMES.item, other, position].map((name) => [name, ID] as const);
    tables.push({ name: table, columns: [...columns, [NAMES.itemAttribute, 'text']], components: [], rows: ofItems });
  }
  return tables;
}
