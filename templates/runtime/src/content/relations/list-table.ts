/** Where the members of one ordered list are stored, whatever the kind of relation. */
import type {
  ContentType,
  ContentTypes,
  InverseForeignKeyStorage,
  LinkStorage,
  MorphStorage,
} from '../../contract/content-type.ts';
import type { Executor } from '../../database/executor.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { NewId } from '../../database/new-id.ts';
import { join, sql, type Sql } from '../../database/sql.ts';
import type { EntryRef } from './relation-change.ts';

/** What a list holds of one type. */
export interface ListMember {
  readonly type: string;
  readonly column: string;
  /** The table of the type, where the other side of the list is an attribute of its entries: a change of both. */
  readonly bothSides?: string;
}

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
  readonly members: readonly ListMember[];
  /** The table of the lists' owners; absent where no versions but that of the owner change with a list. */
  readonly owners?: string;
}

type Stored = Pick<ContentType, 'uid' | 'table'>;

/** The list of a link table or of children; `target` is the type of their members, `owner` that of the list's owner. */
export function listTable(
  storage: LinkStorage | (InverseForeignKeyStorage & { readonly position: string }),
  target: Stored,
  owner: Stored,
): ListTable {
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
  };
}

/** Whether entries of a type have the other side of a polymorphic relation as an attribute. */
function hasMorphInverse(target: ContentType, table: string): boolean {
  return Object.values(target.attributes).some(
    (other) => other.type === 'relation' && other.storage.kind === 'inverseMorph' && other.storage.table === table,
  );
}

/** The list of a relation with several target types. */
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
