/** Copies the lists of an entry that are foreign keys in the rows of their members. */
import type { ContentType, InverseForeignKeyStorage } from '../../contract/content-type.ts';
import { isPublished } from '../../contract/states.ts';
import { raw, sql, type Sql } from '../../database/sql.ts';
import type { Statement } from '../../database/write-plan.ts';
import { rowsWhere, touching, VERSION_COLUMN } from '../../write/version.ts';
import { columnOf } from '../relations/list-table.ts';
import type { NamedEntries } from './copy-links.ts';
import { changedLists, isCopied, type StateCopy } from './state-copy.ts';

/** The members, and the columns of their foreign key, in one state. */
interface Members {
  readonly type: ContentType;
  readonly storage: InverseForeignKeyStorage;
}

/** The condition that a row is no member in the copied state. One that is absent from that state stays in a list. */
function isNoMember(copy: StateCopy, from: Members, to: Members): Sql {
  const { dialect } = copy;
  const { table } = to.type;
  const key = columnOf(dialect, table, to.storage.column);
  const same = columnOf(dialect, table, from.storage.column);
  if (from.type.table === table) return sql`(${same} IS NULL OR ${same} <> ${key})`;
  const row = sql`SELECT 1 FROM ${dialect.id(from.type.table)} AS f WHERE f.id = ${columnOf(dialect, table, 'id')}`;
  const staysIfAbsent = isPublished(from.type) && to.storage.position !== undefined;
  const isKnown = staysIfAbsent ? sql` AND EXISTS (${row})` : raw('');
  return sql`NOT EXISTS (${row} AND ${columnOf(dialect, 'f', from.storage.column)} = ${key})${isKnown}`;
}

export function copyChildren(
  copy: StateCopy,
  { from, to }: { readonly from: Members; readonly to: Members },
  named?: NamedEntries,
): readonly Statement[] {
  const { dialect } = copy;
  const { id } = dialect;
  const { table } = to.type;
  const { column, position } = to.storage;
  const version = id(VERSION_COLUMN);
  const place = position === undefined ? raw('') : sql`${id(position)} = NULL, `;
  const cleared = sql`${id(column)} = NULL, ${place}${version} = ${version} + 1`;
  const isRemoved = named ? sql` AND ${named.removed(columnOf(dialect, table, 'id'))}` : raw('');
  const gone = sql`${isCopied(copy, columnOf(dialect, table, column))}${isRemoved} AND ${isNoMember(copy, from, to)}`;
  const own = id(from.storage.column);
  const their = from.storage.position === undefined ? raw('0') : id(from.storage.position);
  const members = sql`(SELECT id, ${own} AS owner_key, ${their} AS place FROM ${id(from.type.table)} WHERE ${isCopied(copy, own)})`;
  const key = sql`t.${id(column)}`;
  const isOther = sql`(${key} IS NULL OR ${key} <> r.owner_key)`;
  const isNew = named ? sql`${isOther} AND ${named.added(raw('t.id'))}` : isOther;
  const isChanged =
    position === undefined ? isNew : sql`(${isNew} OR (${key} = r.owner_key AND t.${id(position)} <> r.place))`;
  const assign = {
    ...(position !== undefined && { [position]: raw('r.place') }),
    [column]: raw('r.owner_key'),
    [VERSION_COLUMN]: sql`t.${version} + 1`,
  };
  const joined = sql`FROM ${id(table)} AS t JOIN ${members} AS r ON t.id = r.id`;
  const former = sql`SELECT ${key} AS k ${joined} AND ${key} <> r.owner_key`;
  const lists = changedLists(copy, [{ table: copy.to.type.table, ids: former }]);
  return [
    ...lists.before,
    touching(sql`UPDATE ${id(table)} SET ${cleared} WHERE ${gone}`, { table, ids: rowsWhere(dialect, table, gone) }),
    touching(dialect.updateFrom(table, members, assign, sql`t.id = r.id AND ${isChanged}`), [
      { table, ids: sql`SELECT t.id AS k ${joined} AND ${isChanged}` },
      ...lists.touches,
    ]),
  ];
}
