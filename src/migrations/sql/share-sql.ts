/** Statements that give all locales of an entry the values of one, when an attribute is no longer localized. */
import { COLUMN_NAMES as NAMES } from '#contract/column-names.ts';
import type { Change } from '#contract/migrations/change.ts';
import { itemsAt, localeOrder } from './data-sql.ts';
import { nameList, type SqlWriter } from './sql-writer.ts';

/**
 * A query for the rows of other locales, as `row_id`, and the row whose values they get, as `first_id`: one with a value in the
 * column `needed`, if there is one.
 */
function otherRows(writer: SqlWriter, type: string, locales: readonly string[], needed?: string): string {
  const { id } = writer;
  const filled = needed === undefined ? '' : `CASE WHEN ${id(needed)} IS NULL THEN 1 ELSE 0 END, `;
  const first = `FIRST_VALUE(${id(NAMES.id)}) OVER (PARTITION BY ${id(NAMES.documentId)} ORDER BY ${filled}${localeOrder(writer, locales)})`;
  const rows = `SELECT ${id(NAMES.id)} AS row_id, ${first} AS first_id FROM ${id(type)}`;
  return `(SELECT row_id, first_id FROM (${rows}) AS ranked WHERE row_id <> first_id)`;
}

/** Replaces the links of other locales by those of the first. `where`: a condition on links, which are called so. */
function shareLinks(
  writer: SqlWriter,
  {
    table,
    owner,
    copied,
    rows,
  }: { readonly table: string; readonly owner: string; readonly copied: readonly string[]; readonly rows: string },
  where = '',
): readonly string[] {
  const { id } = writer;
  const values = ['others.row_id', ...copied.map((name) => `links.${id(name)}`)].join(', ');
  const joined = `${id(table)} AS links JOIN ${rows} AS others ON others.first_id = links.${id(owner)}`;
  return [
    `DELETE FROM ${id(table)}\n  WHERE ${id(owner)} IN (SELECT row_id FROM ${rows} AS others)${where === '' ? '' : `\n    AND ${where}`};`,
    `INSERT INTO ${id(table)} ${nameList(writer, [owner, ...copied])}\n  SELECT ${values}\n  FROM ${joined}${where === '' ? '' : `\n  WHERE links.${where}`};`,
  ];
}

/** Gives all locales of an entry the value, or the links, of its first available locale. */
export function shareValues(
  writer: SqlWriter,
  { table, column, type, locales, copied, required }: Extract<Change, { kind: 'shareValues' }>,
): readonly string[] {
  const { id, updateFrom } = writer;
  const rows = otherRows(writer, type, locales, required && column);
  if (copied) return shareLinks(writer, { table, owner: column, copied, rows });
  const values = `SELECT others.row_id, source.${id(column)} AS shared_value FROM ${rows} AS others JOIN ${id(table)} AS source ON source.${id(NAMES.id)} = others.first_id`;
  return [
    updateFrom({
      table,
      set: `${id(column)} = shared.shared_value`,
      rows: `(${values}) AS shared`,
      where: `${id(table)}.${id(NAMES.id)} = shared.row_id`,
    }),
  ];
}

/** Gives the component items that were copied to other locales the links of those that they are copies of. */
export function shareItemLinks(
  writer: SqlWriter,
  { table, type, locales, places, copied }: Extract<Change, { kind: 'shareItemLinks' }>,
): readonly string[] {
  const rows = otherRows(writer, type, locales);
  const where = `${writer.id(NAMES.item)} IN ${itemsAt(writer, type, places)}`;
  return shareLinks(writer, { table, owner: NAMES.owner, copied, rows }, where);
}
