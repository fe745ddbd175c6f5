/**
 * Entries behind relations between entries. A link refers to the first row of an entry, whatever its locale; of the rows of an
 * entry, the one in the best locale among the visible ones is shown.
 */
import type { ContentType } from '../../contract/content-type.ts';
import { join, raw, sql, type Sql } from '../../database/sql.ts';
import type { ShownLocale } from '../readable-attributes.ts';
import { type Compiler, where } from './compiler.ts';
import type { TableRows } from './rows.ts';

/** The conditions for rows to be visible. */
export type Visible = (rows: TableRows) => readonly Sql[];

/** The row from which a relation leads, and how it is followed. */
export interface Way {
  readonly owner: TableRows;
  readonly shown: ShownLocale;
  readonly visible: Visible;
}

/** The rank of a row's locale: the lower, the better. */
function rank({ dialect }: Compiler, { owner, shown: { wanted, locales } }: Way, { alias }: TableRows): Sql {
  const own = owner.type.localized ? sql`${owner.alias}.locale` : undefined;
  const first = wanted === undefined ? own : dialect.text(wanted);
  const values = [...(first ? [first] : []), ...locales.map((locale) => dialect.text(locale))];
  const cases = values.map((value, index) => sql`WHEN ${alias}.locale = ${value} THEN ${raw(String(index))}`);
  return sql`CASE ${join(cases, ' ')} ELSE ${raw(String(values.length))} END`;
}

/** The condition that no other visible row of the entry is in a better locale. */
function isBestRow(compiler: Compiler, way: Way, row: TableRows): Sql {
  const other: TableRows = { ...row, alias: compiler.alias() };
  const same = sql`${other.alias}.document_id = ${row.alias}.document_id`;
  const better = sql`${rank(compiler, way, other)} < ${rank(compiler, way, row)}`;
  const conditions = where([same, better, ...way.visible(other)]);
  const rows = sql`SELECT 1 FROM ${compiler.id(row.type.table)} AS ${other.alias}${conditions}`;
  return sql`NOT ${compiler.engine.exists(rows)}`;
}

/** The condition that a row is the first of its entry. */
function isFirstRow(compiler: Compiler, { alias, type }: TableRows): Sql {
  const other = compiler.alias();
  const before = sql`${other}.document_id = ${alias}.document_id AND ${other}.id < ${alias}.id`;
  return sql`NOT ${compiler.engine.exists(sql`SELECT 1 FROM ${compiler.id(type.table)} AS ${other} WHERE ${before}`)}`;
}

/** The joins and conditions that lead from the row `linked` of a localized type to the row of the entry that is shown. */
export interface ShownRows {
  readonly join: Sql;
  readonly on: readonly Sql[];
  readonly target: TableRows;
}

/**
 * From `linked` to the rows of `type`. `owns`: the type owns the relation, so that the links of other rows than the first only
 * repeat those of the first.
 */
export function shownRows(
  compiler: Compiler,
  way: Way,
  linked: TableRows,
  { type, owns }: { readonly type: ContentType; readonly owns: boolean },
): ShownRows {
  const target: TableRows = { kind: 'table', alias: compiler.alias(), type };
  return {
    join: sql` JOIN ${compiler.id(type.table)} AS ${target.alias} ON ${target.alias}.document_id = ${linked.alias}.document_id`,
    on: [isBestRow(compiler, way, target), ...(owns ? [isFirstRow(compiler, linked)] : [])],
    target,
  };
}
