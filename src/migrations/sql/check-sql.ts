/** Statements that check for rows which a migration can't keep. */
import { COLUMN_NAMES } from '#contract/column-names.ts';
import type { Dialect } from '../../model/content-model.ts';
import type { CheckStep } from '../plan/step.ts';
import { guardItems, guardRows } from './guard-sql.ts';
import { isTooLong, misfit } from './misfit.ts';
import type { SqlLine } from './sql-line.ts';
import type { SqlWriter } from './sql-writer.ts';

type Rows<Of extends CheckStep['rows']['of']> = Extract<CheckStep['rows'], { readonly of: Of }>;

function checkMisfits(
  writer: SqlWriter,
  dialect: Dialect,
  { table, columns, cause = table }: CheckStep,
  { from, to }: Rows<'misfits'>,
): readonly SqlLine[] {
  const where = misfit(dialect, from, to, writer.id(columns[0] ?? ''));
  if (where === undefined) return [];
  const what = to === 'string' ? 'has values that are too long' : `has non-${to} values`;
  return guardRows(writer, { table, columns, where, what: `${cause} ${what}` });
}

function checkMembers(
  writer: SqlWriter,
  dialect: Dialect,
  { table, columns, cause = table }: CheckStep,
  { member: { path } }: Rows<'longMembers'>,
): readonly SqlLine[] {
  const inside = path.slice(0, -1).map((member) => ({ member, list: false }));
  const place = { column: columns[0] ?? '', list: false, inside };
  return guardItems(writer, {
    items: [{ table, place, member: path.at(-1) ?? '' }],
    where: isTooLong(dialect, 'value'),
    what: `${cause}.${path.join('.')} has values that are too long`,
  });
}

/** The condition on rows with duplicate values in these columns. Nulls are never duplicates. */
function isDuplicate({ id }: SqlWriter, table: string, columns: readonly string[]): string {
  const list = columns.map(id).join(', ');
  const given = columns.map((column) => `${id(column)} IS NOT NULL`).join(' AND ');
  return `(${list}) IN (SELECT ${list} FROM ${id(table)} WHERE ${given} GROUP BY ${list} HAVING count(*) > 1)`;
}

/** The condition on published rows, if only these are meant. */
function published({ id }: SqlWriter, rows: { readonly published?: true }): string | undefined {
  return rows.published && `${id(COLUMN_NAMES.publishedAt)} IS NOT NULL`;
}

/** Stops the migration if there are such rows. */
export function checkRows(writer: SqlWriter, dialect: Dialect, check: CheckStep): readonly SqlLine[] {
  const { table, columns, rows, cause = table } = check;
  const { id } = writer;
  switch (rows.of) {
    case 'misfits':
      return checkMisfits(writer, dialect, check, rows);
    case 'empty': {
      const where = columns.map((column) => `${id(column)} IS NULL`).join(' OR ');
      const which = published(writer, rows);
      const what = `${cause} is required, but ${which === undefined ? '' : 'published '}rows have no value`;
      return guardRows(writer, {
        table,
        columns,
        where: which === undefined ? where : `(${where}) AND ${which}`,
        what,
      });
    }
    case 'duplicates': {
      const where = isDuplicate(writer, table, columns);
      return guardRows(writer, { table, columns, where, what: `${cause} is unique, but rows have the same value` });
    }
    case 'repeatedByEntries': {
      const [value, document] = [columns[0] ?? '', COLUMN_NAMES.documentId].map(id);
      const repeated = `SELECT ${value} FROM ${id(table)} WHERE ${value} IS NOT NULL GROUP BY ${value} HAVING count(DISTINCT ${document}) > 1`;
      const what = `${cause} has values that several entries share`;
      return guardRows(writer, {
        table,
        columns: [...columns, COLUMN_NAMES.locale],
        where: `${value} IN (${repeated})`,
        what,
      });
    }
    case 'longMembers':
      return checkMembers(writer, dialect, check, rows);
    case 'pending': {
      const [drafts, published] = [table, rows.versions].map(id);
      const [own, time] = [COLUMN_NAMES.id, COLUMN_NAMES.updatedAt].map(id);
      const differing = `SELECT p.${own} FROM ${published} AS p JOIN ${drafts} AS d ON d.${own} = p.${own} WHERE d.${time} <> p.${time}`;
      const what = `${cause} has drafts that differ from what is published`;
      return guardRows(writer, { table, columns: [], where: `${own} IN (${differing})`, what });
    }
    case 'any':
      return guardRows(writer, {
        table,
        columns: [],
        where: published(writer, rows) ?? '1 = 1',
        what: `${cause} has no value for existing ${rows.published ? 'published ' : ''}rows`,
      });
  }
}
