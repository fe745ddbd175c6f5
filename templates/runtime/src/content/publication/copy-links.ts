/**
 * Copies the links of an entry from one state to the other. A link table has both sides of a relation: only the links of the copied
 * entries change, and of those that stay, only the place in the lists of these entries.
 */
import type { ContentType, InverseMorphStorage, LinkStorage, MorphStorage } from '../../contract/content-type.ts';
import { deleteRows, join, raw, sql, type Sql } from '../../database/sql.ts';
import { statement, type Statement } from '../../database/write-plan.ts';
import { incrementVersionsBySelect } from '../../write/version.ts';
import { columnOf } from '../relations/list-table.ts';
import { isCopied, type StateCopy } from './state-copy.ts';

/** The entries that a write has named, as conditions on a column with ids: nothing else is copied, but for places. */
export interface NamedEntries {
  added(id: Sql): Sql;
  removed(id: Sql): Sql;
}

/** The tables of a list in both states. */
export interface LinkTables {
  readonly from: LinkStorage;
  readonly to: LinkStorage;
  /** The target in the replaced state, if the relation is one of its attributes. */
  readonly other: ContentType | undefined;
}

function listed({ dialect }: StateCopy, names: readonly string[], alias?: string): Sql {
  return join(
    names.map((name) => (alias === undefined ? dialect.id(name) : columnOf(dialect, alias, name))),
    ', ',
  );
}

export function copyLinks(
  copy: StateCopy,
  { from, to, other }: LinkTables,
  named?: NamedEntries,
): readonly Statement[] {
  const { dialect } = copy;
  const { id } = dialect;
  const [source, target] = [id(from.table), id(to.table)];
  const keys = sql`${columnOf(dialect, 'f', from.own)} = ${columnOf(dialect, to.table, to.own)} AND ${columnOf(dialect, 'f', from.other)} = ${columnOf(dialect, to.table, to.other)}`;
  const isRemoved = named ? sql` AND ${named.removed(columnOf(dialect, to.table, to.other))}` : raw('');
  const gone = sql`${isCopied(copy, columnOf(dialect, to.table, to.own))}${isRemoved} AND NOT EXISTS (SELECT 1 FROM ${source} AS f WHERE ${keys})`;
  const places = sql`(SELECT ${listed(copy, [from.own, from.other, from.position])} FROM ${source} WHERE ${isCopied(copy, id(from.own))})`;
  const isSame = sql`t.${id(to.own)} = r.${id(from.own)} AND t.${id(to.other)} = r.${id(from.other)}`;
  const isMoved = sql`${isSame} AND t.${id(to.position)} <> r.${id(from.position)}`;
  const names = [to.own, to.other, to.position, ...(to.otherPosition === undefined ? [] : [to.otherPosition])];
  const isAdded = named ? sql` AND ${named.added(columnOf(dialect, 'f', from.other))}` : raw('');
  const known = sql`SELECT 1 FROM ${target} AS k WHERE k.${id(to.own)} = f.${id(from.own)} AND k.${id(to.other)} = f.${id(from.other)}`;
  const added = sql`FROM ${source} AS f WHERE ${isCopied(copy, columnOf(dialect, 'f', from.own))}${isAdded} AND NOT EXISTS (${known})`;
  const increment = (ids: Sql): Statement[] => (other ? [incrementVersionsBySelect(dialect, other.table, ids)] : []);
  return [
    ...increment(sql`SELECT ${columnOf(dialect, to.table, to.other)} AS k FROM ${target} WHERE ${gone}`),
    statement(deleteRows(target, gone)),
    statement(dialect.updateFrom(to.table, places, { [to.position]: sql`r.${id(from.position)}` }, isMoved)),
    ...increment(sql`SELECT f.${id(from.other)} AS k ${added}`),
    statement(sql`INSERT INTO ${target} (${listed(copy, names)}) SELECT ${listed(copy, names, 'f')} ${added}`),
  ];
}

/** Replaces the links that the copied entries own in a table without another side. */
export function replaceLinks(
  copy: StateCopy,
  tables: { readonly from: string; readonly to: string },
  { own, columns }: { readonly own: string; readonly columns: readonly string[] },
): readonly Statement[] {
  const { id } = copy.dialect;
  const names = listed(copy, [own, ...columns]);
  return [
    statement(deleteRows(id(tables.to), isCopied(copy, id(own)))),
    statement(
      sql`INSERT INTO ${id(tables.to)} (${names}) SELECT ${names} FROM ${id(tables.from)} WHERE ${isCopied(copy, id(own))} ORDER BY ${id('id')}`,
    ),
  ];
}

/** The links of a polymorphic relation that lead to the copied entries. `many`: whether their owners have a list. */
export function copyMorphs(
  copy: StateCopy,
  { from, to }: { readonly from: InverseMorphStorage; readonly to: InverseMorphStorage },
  { position, many }: { readonly position: MorphStorage['position']; readonly many: boolean },
): readonly Statement[] {
  const { dialect } = copy;
  const { id } = dialect;
  const [source, target] = [id(from.table), id(to.table)];
  const keys = sql`f.${id(from.own)} = ${columnOf(dialect, to.table, to.own)} AND f.${id(from.other)} = ${columnOf(dialect, to.table, to.other)}`;
  const gone = sql`${isCopied(copy, columnOf(dialect, to.table, to.own))} AND NOT EXISTS (SELECT 1 FROM ${source} AS f WHERE ${keys})`;
  const owners = sql`SELECT ${id(from.other)} FROM ${source} WHERE ${isCopied(copy, id(from.own))}`;
  const known = sql`SELECT 1 FROM ${target} AS k WHERE k.${id(to.own)} = f.${id(from.own)} AND k.${id(to.other)} = f.${id(from.other)}`;
  const names = [to.own, to.other, position];
  return [
    statement(deleteRows(target, gone)),
    ...(many ? [] : [statement(deleteRows(target, sql`${id(to.other)} IN (${owners})`))]),
    statement(
      sql`INSERT INTO ${target} (${listed(copy, names)}) SELECT ${listed(copy, names, 'f')} FROM ${source} AS f WHERE ${isCopied(copy, columnOf(dialect, 'f', from.own))} AND NOT EXISTS (${known}) ORDER BY f.${id('id')}`,
    ),
  ];
}
