/** Where the members of one ordered list are stored, whatever the kind of relation. */
import type { InverseForeignKeyStorage, LinkStorage, MorphStorage } from '../../contract/content-type.ts';
import type { Executor } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { NewId } from '../../database/new-id.ts';
import { join, sql, type Sql } from '../../database/sql.ts';
import type { EntryRef } from './relation-change.ts';

export interface ListTable {
  /** `links`: a row for each member. `children`: the rows of the members themselves, which have one owner at most. */
  readonly kind: 'links' | 'children';
  readonly table: string;
  /** Column with the id of the list's owner. */
  readonly own: string;
  /** Further columns, with their values, that tell this list from others of its owner. */
  readonly fixed?: Readonly<Record<string, string | number>>;
  readonly position: string;
  /** Owner and member are the key of the table. */
  readonly keyed?: true;
  /** Column with the owner's place in the list of the member. */
  readonly otherPosition?: string;
  /** The column with the id of a member, for each type that a member can have. */
  readonly members: readonly { readonly type: string; readonly column: string }[];
}

/** The list of a link table or of children; `target` is the type of their members. */
export function listTable(
  storage: LinkStorage | (InverseForeignKeyStorage & { readonly position: string }),
  target: { readonly uid: string; readonly table: string },
): ListTable {
  if (storage.kind === 'link') {
    const { table, own, position, other } = storage;
    const { otherPosition } = storage;
    const members = [{ type: target.uid, column: other }];
    return {
      kind: 'links',
      table,
      own,
      position,
      members,
      keyed: true,
      ...(otherPosition !== undefined && { otherPosition }),
    };
  }
  const { column, position } = storage;
  return {
    kind: 'children',
    table: target.table,
    own: column,
    position,
    members: [{ type: target.uid, column: 'id' }],
  };
}

/** The list of a relation with several target types. */
export function morphListTable({ table, own, position, targets }: MorphStorage): ListTable {
  const members = Object.entries(targets).map(([type, column]) => ({ type, column }));
  return { kind: 'links', table, own, position, members };
}

/** An owner's list. */
export interface OwnedList {
  readonly dialect: Dialect;
  readonly list: ListTable;
  readonly owner: number | NewId;
}

/** The same of an owner that is there, to be read by `tx`. */
export interface StoredOwnedList extends OwnedList {
  readonly tx: Executor;
  readonly owner: number;
}

export function storedList(tx: Executor, list: ListTable, owner: number): StoredOwnedList {
  return { tx, dialect: tx.dialect, list, owner };
}

/** A column of the row called `alias`. */
export function columnOf(dialect: Dialect, alias: string, column: string): Sql {
  return sql`${dialect.id(alias)}.${dialect.id(column)}`;
}

/** The condition that the row called `alias` is of this list. */
export function ofList({ dialect, list, owner }: OwnedList, alias: string): Sql {
  const fixed = Object.entries(list.fixed ?? {}).map(
    ([column, value]) => sql`${columnOf(dialect, alias, column)} = ${value}`,
  );
  return join([sql`${columnOf(dialect, alias, list.own)} = ${owner}`, ...fixed], ' AND ');
}

/** The ids of the entries that have a type. */
export function idsOf(type: string, entries: readonly EntryRef[]): number[] {
  return entries.flatMap((entry) => (entry.type === type ? [entry.id] : []));
}

/** Rows of one column `id`. */
export function idRows(dialect: Dialect, ids: Iterable<number>): Sql {
  return dialect.givenRows(
    Array.from(ids, (id) => ({ id })),
    { id: 'integer' },
  );
}
