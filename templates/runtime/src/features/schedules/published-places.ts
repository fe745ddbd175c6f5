/** Where publishing an entry writes: its row, its components' links, and its relations, from whichever side they are stored. */
import { COLUMN_NAMES } from '../../contract/column-names.ts';
import type { TransferColumn, TransferTable } from '../../contract/content-transfer.ts';
import type { ContentType, ContentTypes, MediaAttribute, RelationAttribute } from '../../contract/content-type.ts';
import { kindsOf } from '../../contract/item-attributes.ts';
import { publishedState, type State } from '../../content/publication/state-copy.ts';
import { publishedTables } from '../../content/stored-rows/stored-tables.ts';
import type { Dialect } from '../../database/dialect.ts';
import { join, raw, sql, type Sql } from '../../database/sql.ts';

/** The rows of entries that a release writes. */
export interface Written {
  readonly ids: readonly number[];
  /** Those of them whose drafts are copied, as they are published and not taken back. */
  readonly copied: readonly number[];
}

type Condition = (dialect: Dialect, written: Written) => Sql;

/** Rows of a table that a publication writes: whole ones, or a foreign key in rows of other entries. */
export interface PublishedPlace {
  readonly table: TransferTable;
  readonly fills: boolean;
  readonly columns: readonly TransferColumn[];
  /** The columns that refer to the entry. */
  readonly keys: readonly string[];
  /** The column that identifies who gives up a connection to the entry; undefined if nobody does. */
  readonly anchor?: string | undefined;
  /** Which rows a publication may change, besides those that refer to the entry already: its draft says so. */
  readonly gained: readonly Condition[];
}

/** The tables in which what is published is stored. */
export function tablesOf(types: ContentTypes): readonly TransferTable[] {
  const tables = knownTables.get(types) ?? publishedTables(types);
  knownTables.set(types, tables);
  return tables;
}

const knownTables = new WeakMap<ContentTypes, readonly TransferTable[]>();

type Find = (name: string) => TransferTable | undefined;

function ownRows(find: Find, { table: name }: ContentType): PublishedPlace[] {
  const table = find(name);
  return table ? [{ table, fills: false, columns: table.columns, keys: ['id'], gained: [] }] : [];
}

function links(
  find: Find,
  name: string | undefined,
  key: string,
  more: Partial<Pick<PublishedPlace, 'anchor' | 'gained'>> = {},
): PublishedPlace[] {
  const table = name === undefined ? undefined : find(name);
  // Tables that both states share stay as they are.
  if (!table?.columns.some((column) => column.name === key)) return [];
  return [{ table, fills: false, columns: table.columns, keys: [key], gained: [], ...more }];
}

/** A foreign key in rows of other entries, with the position that follows it. */
function fills(
  find: Find,
  name: string,
  { column, position }: { readonly column: string; readonly position?: string },
  more: Pick<PublishedPlace, 'keys' | 'gained'>,
): PublishedPlace[] {
  const table = find(name);
  const names = ['id', column, ...(position === undefined ? [] : [position])];
  const columns = names.flatMap((one) => table?.columns.filter((each) => each.name === one) ?? []);
  return table && columns.length === names.length ? [{ table, fills: true, columns, anchor: 'id', ...more }] : [];
}

function selected(
  { id, isOneOf }: Dialect,
  { table, column, where }: { readonly table: string; readonly column: string; readonly where: string },
  ids: readonly number[],
): Sql {
  return sql`(SELECT ${id(column)} FROM ${id(table)} WHERE ${isOneOf(id(where), ids)} AND ${id(column)} IS NOT NULL)`;
}

/** Whether the owners of a polymorphic relation have a list: otherwise they give up another target. */
function isList({ types }: ContentTypes, { target = '', inverse = '' }: RelationAttribute): boolean {
  const owning = types[target]?.attributes[inverse];
  return owning?.type !== 'relation' || owning.many;
}

function ofRelation(
  find: Find,
  { draft, published }: { readonly draft: State; readonly published: State },
  former: RelationAttribute | MediaAttribute,
  { storage }: RelationAttribute | MediaAttribute,
): PublishedPlace[] {
  const from = former.storage;
  switch (storage.kind) {
    case 'link':
    case 'morph':
      return links(find, storage.table, storage.own);
    case 'inverseMorph': {
      if (from.kind !== 'inverseMorph' || former.type !== 'relation') return [];
      if (isList(draft.types, former)) return links(find, storage.table, storage.own);
      const gained: Condition = (dialect, { copied }) =>
        sql`${dialect.id(storage.other)} IN ${selected(dialect, { table: from.table, column: from.other, where: from.own }, copied)}`;
      return links(find, storage.table, storage.own, { anchor: storage.other, gained: [gained] });
    }
    case 'inverseForeignKey': {
      const uid = former.type === 'relation' ? (former.target ?? '') : 'file';
      const [child, members] = [published.types.types[uid], draft.types.types[uid]];
      if (!child || !members || from.kind !== 'inverseForeignKey') return [];
      const gained: Condition = (dialect, { copied }) =>
        sql`id IN ${selected(dialect, { table: members.table, column: 'id', where: from.column }, copied)}`;
      return fills(find, child.table, storage, { keys: [storage.column], gained: [gained] });
    }
    case 'foreignKey': {
      if (!storage.unique || from.kind !== 'foreignKey') return [];
      const gained: Condition = (dialect, { copied }) =>
        sql`${dialect.id(storage.column)} IN ${selected(dialect, { table: draft.type.table, column: from.column, where: 'id' }, copied)}`;
      return fills(find, published.type.table, storage, { keys: [], gained: [gained] });
    }
  }
}

/** A table, or a foreign key of one, may be written by attributes of both sides. */
function merged(places: readonly PublishedPlace[]): readonly PublishedPlace[] {
  const found = new Map<string, PublishedPlace>();
  for (const place of places) {
    const name = place.fills ? `${place.table.name} ${String(place.columns[1]?.name)}` : place.table.name;
    const other = found.get(name);
    const keys = [...new Set([...(other?.keys ?? []), ...place.keys])];
    const gained = [...(other?.gained ?? []), ...place.gained];
    found.set(name, { ...place, anchor: place.anchor ?? other?.anchor, keys, gained });
  }
  return [...found.values()];
}

function findPlaces(types: ContentTypes, type: ContentType): readonly PublishedPlace[] {
  const draft = { types, type };
  const published = publishedState(draft);
  const tables = new Map(tablesOf(types).map((table) => [table.name, table]));
  const find: Find = (name) => tables.get(name);
  const relations = kindsOf(published.type.attributes).links.flatMap(([name, attribute]) => {
    const former = type.attributes[name];
    if (former?.type !== 'relation' && former?.type !== 'media') return [];
    return ofRelation(find, { draft, published }, former, attribute);
  });
  return merged([
    ...ownRows(find, published.type),
    ...links(find, published.type.componentLinks?.table, COLUMN_NAMES.owner),
    ...relations,
  ]);
}

const known = new WeakMap<ContentType, readonly PublishedPlace[]>();

/** The places of a type with drafts, its own rows first. */
export function placesOf(types: ContentTypes, type: ContentType): readonly PublishedPlace[] {
  const places = known.get(type) ?? findPlaces(types, type);
  known.set(type, places);
  return places;
}

/** Whether a place has the rows of the entries themselves. */
export function isOwnRow({ keys, fills: isFilled }: PublishedPlace): boolean {
  return !isFilled && keys.includes('id');
}

/** The rows of a place that refer to the entries or meet further conditions: of others, where rows of the entries have no foreign key to fill. */
export function rowsAt(
  { id, isOneOf }: Dialect,
  { table, fills: isFilled, keys }: PublishedPlace,
  type: ContentType,
  { ids, more }: { readonly ids: readonly number[]; readonly more: readonly Sql[] },
): Sql {
  const conditions = [...keys.map((key) => isOneOf(id(key), ids)), ...more];
  const any = conditions.length === 0 ? raw('1 = 0') : sql`(${join(conditions, ' OR ')})`;
  const isSelf = isFilled && table.name === type.published?.table;
  return isSelf ? sql`${any} AND NOT (${isOneOf(raw('id'), ids)})` : any;
}
