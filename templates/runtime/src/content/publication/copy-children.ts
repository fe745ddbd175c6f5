/** Copies the lists of an entry that are foreign keys in the rows of their members. */
import type { ContentType, InverseForeignKeyStorage } from '../../contract/content-type.ts';
import { isPublished } from '../../contract/states.ts';
import { raw, sql, type Sql } from '../../database/sql.ts';
import type { Statement } from '../../database/write-plan.ts';
import {
  incrementVersionsBySelect,
  rowsWhere,
  touching,
  VERSION_COLUMN,
  versionIncrementOfT,
} from '../../write/version.ts';
import { columnOf } from '../relations/list-table.ts';
import { isRequired } from '../relations/required-sides.ts';
import type { NamedEntries } from './copy-links.ts';
import { changedLists, isCopied, type StateCopy } from './state-copy.ts';

/** The members, and the columns of their foreign key, in one state. */
interface Members {
  readonly type: ContentType;
  readonly storage: InverseForeignKeyStorage;
}

/** In the copied state, and in the one that is replaced. */
interface BothMembers {
  readonly from: Members;
  readonly to: Members;
  /** The attribute of the members; empty if they have none. */
  readonly inverse: string;
}

/** The condition that the row `alias` is no member in the copied state. One that is absent from that state stays in a list. */
function isNoMember(copy: StateCopy, { from, to }: BothMembers, alias: string): Sql {
  const { dialect } = copy;
  const key = columnOf(dialect, alias, to.storage.column);
  const same = columnOf(dialect, alias, from.storage.column);
  if (from.type.table === to.type.table) return sql`(${same} IS NULL OR ${same} <> ${key})`;
  const row = sql`SELECT 1 FROM ${dialect.id(from.type.table)} AS f WHERE f.id = ${columnOf(dialect, alias, 'id')}`;
  const staysIfAbsent = isPublished(from.type) && to.storage.position !== undefined;
  const isKnown = staysIfAbsent ? sql` AND EXISTS (${row})` : raw('');
  return sql`NOT EXISTS (${row} AND ${columnOf(dialect, 'f', from.storage.column)} = ${key})${isKnown}`;
}

/** Whether a row of the type can't be without this relation: drafts can. */
export function mustHave(type: ContentType, name: string): boolean {
  return !type.draftAndPublish && isRequired(type, name);
}

/** Takes the rows from the list that are no members in the copied state. */
function removeMembers(copy: StateCopy, members: BothMembers, named: NamedEntries | undefined): readonly Statement[] {
  const { dialect } = copy;
  const { id } = dialect;
  const { type, storage } = members.to;
  const { table } = type;
  const version = id(VERSION_COLUMN);
  const place = storage.position === undefined ? raw('') : sql`${id(storage.position)} = NULL, `;
  const cleared = sql`${id(storage.column)} = NULL, ${place}${version} = ${version} + 1`;
  const isRemoved = named ? sql` AND ${named.removed(columnOf(dialect, table, 'id'))}` : raw('');
  const isListed = isCopied(copy, columnOf(dialect, table, storage.column));
  const gone = sql`${isListed}${isRemoved} AND ${isNoMember(copy, members, table)}`;
  return [
    touching(sql`UPDATE ${id(table)} SET ${cleared} WHERE ${gone}`, { table, ids: rowsWhere(dialect, table, gone) }),
  ];
}

/**
 * Gives drafts that a draft has taken back to the entries to which they belong in what is published: these would lose them with the next
 * publication. A one-to-one relation stays empty if another draft has its target by now; what must have a list stays in this one if it was
 * in none.
 */
function giveBack(copy: StateCopy, members: BothMembers): readonly Statement[] {
  const { dialect } = copy;
  const { id } = dialect;
  const { from, to } = members;
  const { table } = to.type;
  const { column, position } = to.storage;
  const former = columnOf(dialect, 'f', from.storage.column);
  const taken = sql`SELECT 1 FROM ${id(table)} AS o WHERE ${columnOf(dialect, 'o', column)} = ${former} AND o.id <> d.id`;
  const key = position === undefined ? sql`CASE WHEN EXISTS (${taken}) THEN NULL ELSE ${former} END` : former;
  const place = from.storage.position === undefined ? raw('NULL') : columnOf(dialect, 'f', from.storage.position);
  const isHomeless = mustHave(to.type, members.inverse) ? sql` AND ${former} IS NOT NULL` : raw('');
  const gone = sql`${isCopied(copy, columnOf(dialect, 'd', column))} AND ${isNoMember(copy, members, 'd')}${isHomeless}`;
  const rows = sql`(SELECT d.id, ${key} AS owner_key, ${place} AS place FROM ${id(table)} AS d LEFT JOIN ${id(from.type.table)} AS f ON f.id = d.id WHERE ${gone})`;
  const assign = {
    [column]: raw('r.owner_key'),
    ...(position !== undefined && { [position]: raw('r.place') }),
    ...versionIncrementOfT(dialect),
  };
  const owners = sql`SELECT r.owner_key AS k FROM ${rows} AS r WHERE r.owner_key IS NOT NULL`;
  return [
    incrementVersionsBySelect(dialect, copy.to.type.table, owners),
    touching(dialect.updateFrom(table, rows, assign, raw('t.id = r.id')), {
      table,
      ids: sql`SELECT r.id AS k FROM ${rows} AS r`,
    }),
  ];
}

/** `named`: see `NamedEntries`. */
export function copyChildren(copy: StateCopy, members: BothMembers, named?: NamedEntries): readonly Statement[] {
  const { from, to } = members;
  const { dialect } = copy;
  const { id } = dialect;
  const { table } = to.type;
  const { column, position } = to.storage;
  const own = id(from.storage.column);
  const their = from.storage.position === undefined ? raw('0') : id(from.storage.position);
  const listed = sql`(SELECT id, ${own} AS owner_key, ${their} AS place FROM ${id(from.type.table)} WHERE ${isCopied(copy, own)})`;
  const key = sql`t.${id(column)}`;
  const isOther = sql`(${key} IS NULL OR ${key} <> r.owner_key)`;
  const isNew = named ? sql`${isOther} AND ${named.added(raw('t.id'))}` : isOther;
  const isChanged =
    position === undefined ? isNew : sql`(${isNew} OR (${key} = r.owner_key AND t.${id(position)} <> r.place))`;
  const assign = {
    ...(position !== undefined && { [position]: raw('r.place') }),
    [column]: raw('r.owner_key'),
    ...versionIncrementOfT(dialect),
  };
  const joined = sql`FROM ${id(table)} AS t JOIN ${listed} AS r ON t.id = r.id`;
  const former = sql`SELECT ${key} AS k ${joined} AND ${key} <> r.owner_key`;
  const lists = changedLists(copy, [{ table: copy.to.type.table, ids: former }]);
  return [
    ...lists.before,
    ...(isPublished(to.type) ? removeMembers(copy, members, named) : giveBack(copy, members)),
    touching(dialect.updateFrom(table, listed, assign, sql`t.id = r.id AND ${isChanged}`), [
      { table, ids: sql`SELECT t.id AS k ${joined} AND ${isChanged}` },
      ...lists.touches,
    ]),
  ];
}
