/** Where the members of an ordered list are stored, for every kind of relation. */
import {
  type ContentType,
  type ContentTypes,
  type InverseForeignKeyStorage,
  isInverseStorage,
  type LinkStorage,
  type MorphStorage,
} from '../../contract/content-type.ts';
import type { Executor } from '../../database/executor.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { NewId } from '../../database/new-id.ts';
import { join, sql, type Sql } from '../../database/sql.ts';
import type { EntryRef } from './relation-change.ts';

/** A type that members of a list can have, and the column with their ids. */
export interface ListMember {
  readonly type: string;
  readonly column: string;
  /** The table of the type, if the other side is an attribute of its entries: a change then counts as a write of both. */
  readonly bothSides?: string;
}

/** The table and columns in which lists are stored. */
export interface ListTable {
  /** `links`: a link table with a row per member. `children`: the rows of the members themselves, which have at most one owner. */
  readonly kind: 'links' | 'children';
  readonly table: string;
  /** The column with the owner's id. */
  readonly own: string;
  /** Further columns, with their values, that distinguish this list from other lists of its owner. */
  readonly fixed?: Readonly<Record<string, string | number>>;
  readonly position: string;
  /** Owner and member are the primary key of the table. */
  readonly keyed?: true;
  /** The column with the owner's position in the member's list on the other side. */
  readonly otherPosition?: string;
  /** The types that members can have. */
  readonly members: readonly ListMember[];
  /** The table of the lists' owners; absent if a change of a list increments no version except the owner's. */
  readonly owners?: string;
  /** The table of the members, if other rows than the first of a member's entry only repeat its links. */
  readonly repeatedBy?: string;
}

type Stored = Pick<ContentType, 'uid' | 'table'>;
type Member = Stored & Pick<ContentType, 'localized'>;

/**
 * The list of a link table or of children. `target` is the type of the members, `owner` that of the list's owner; `isShared`: the
 * relation is between entries.
 */
export function listTable(
  storage: LinkStorage | (InverseForeignKeyStorage & { readonly position: string }),
  target: Member,
  owner: Stored,
  isShared: boolean,
): ListTable {
  const isRepeated = isShared && target.localized && isInverseStorage(storage);
  const repeated = isRepeated ? { repeatedBy: target.table } : {};
  if (storage.kind === 'link') {
    const { table, own, position, other } = storage;
    const { otherPosition } = storage;
    const bothSides = otherPosition === undefined ? {} : { bothSides: target.table };
    const members = [{ type: target.uid, column: other, ...bothSides }];
    return {
      kind: 'links',
      table,
      own,
      position,
      members,
      keyed: true,
      owners: owner.table,
      ...(otherPosition !== undefined && { otherPosition }),
      ...repeated,
    };
  }
  const { column, position } = storage;
  return {
    kind: 'children',
    table: target.table,
    own: column,
    position,
    members: [{ type: target.uid, column: 'id' }],
    owners: owner.table,
    ...repeated,
  };
}

/** Whether a type has the inverse of a polymorphic relation as an attribute. */
function hasMorphInverse(target: ContentType, table: string): boolean {
  return Object.values(target.attributes).some(
    (other) => other.type === 'relation' && other.storage.kind === 'inverseMorph' && other.storage.table === table,
  );
}

/** The list of a polymorphic relation. */
export function morphListTable(
  { types }: ContentTypes,
  { table, own, position, targets }: MorphStorage,
  owner: Stored,
): ListTable {
  const members = Object.entries(targets).map(([type, column]): ListMember => {
    const target = Object.hasOwn(types, type) ? types[type] : undefined;
    return { type, column, ...(target && hasMorphInverse(target, table) && { bothSides: target.table }) };
  });
  return { kind: 'links', table, own, position, members, owners: owner.table };
}

/** The list of one owner. */
export interface OwnedList {
  readonly dialect: Dialect;
  readonly list: ListTable;
  readonly owner: number | NewId;
}

/** The list of an existing owner, and the transaction that reads it. */
export interface StoredOwnedList extends OwnedList {
  readonly tx: Executor;
  readonly owner: number;
}

/** The stored list of an existing owner. */
export function storedList(tx: Executor, list: ListTable, owner: number): StoredOwnedList {
  return { tx, dialect: tx.dialect, list, owner };
}

/** A column of the row `alias`. */
export function columnOf(dialect: Dialect, alias: string, column: string): Sql {
  return sql`${dialect.id(alias)}.${dialect.id(column)}`;
}

/** The condition that the row `alias` belongs to this list. */
export function listCondition({ dialect, list, owner }: OwnedList, alias: string): Sql {
  const fixed = Object.entries(list.fixed ?? {}).map(
    ([column, value]) => sql`${columnOf(dialect, alias, column)} = ${value}`,
  );
  return join([sql`${columnOf(dialect, alias, list.own)} = ${owner}`, ...fixed], ' AND ');
}

/** Like `listCondition`, without links that only repeat those of the first row of a member's entry. */
export function memberCondition(owned: OwnedList, alias: string): Sql {
  const { dialect, list } = owned;
  const condition = listCondition(owned, alias);
  const [member] = list.members;
  if (list.repeatedBy === undefined || !member) return condition;
  const rows = dialect.id(list.repeatedBy);
  const id = columnOf(dialect, alias, member.column);
  const earlier = sql`SELECT 1 FROM ${rows} AS s JOIN ${rows} AS o ON o.document_id = s.document_id AND o.id < s.id WHERE s.id = ${id}`;
  return sql`${condition} AND NOT EXISTS (${earlier})`;
}

/** The ids of the entries of a type. */
export function idsOf(type: string, entries: readonly EntryRef[]): number[] {
  return entries.flatMap((entry) => (entry.type === type ? [entry.id] : []));
}

/** The ids as rows with one column, `id`. */
export function idRows(dialect: Dialect, ids: Iterable<number>): Sql {
  return dialect.givenRows(
    Array.from(ids, (id) => ({ id })),
    { id: 'integer' },
  );
}
