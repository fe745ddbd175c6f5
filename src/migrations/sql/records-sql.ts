/** Renames types and tables in the rows in which the server keeps entries for later. */
import type { Change, Renamed } from '#contract/migrations/change.ts';
import { PUBLICATIONS_TABLE, RELEASES_TABLE } from '#contract/schedules/schedule-tables.ts';
import { TRASH_TABLE } from '#contract/trash/trash-table.ts';
import type { SqlWriter } from './sql-writer.ts';

/** The columns with JSON that names types and tables; a type may also be in the column `subject`. */
const JSON_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  [PUBLICATIONS_TABLE]: [],
  [RELEASES_TABLE]: ['items', 'former'],
  [TRASH_TABLE]: ['content'],
};

/** In JSON without spaces, a quotation mark inside of a text follows a backslash: only members are found. */
function member(name: 'type' | 'table', value: string): string {
  return `"${name}":"${value}"`;
}

interface Replacement {
  readonly from: string;
  readonly to: string;
}

function replace({ id, text }: SqlWriter, table: string, column: string, all: readonly Replacement[]): string {
  const value = all.reduce((inner, { from, to }) => `replace(${inner}, ${text(from)}, ${text(to)})`, id(column));
  const any = all.map(({ from }) => `${id(column)} LIKE ${text(`%${from}%`)}`).join('\n    OR ');
  return `UPDATE ${id(table)}\n  SET ${id(column)} = ${value}\n  WHERE ${any};`;
}

/** The statements for each of the tables. */
export function renameRecords(
  writer: SqlWriter,
  { records, types, tables }: Extract<Change, { kind: 'renameRecords' }>,
): readonly string[] {
  const { id, text } = writer;
  const named = (name: 'type' | 'table') => (renamed: Renamed) => ({
    from: member(name, renamed.from),
    to: member(name, renamed.to),
  });
  const members = [...types.map(named('type')), ...tables.map(named('table'))];
  return records.flatMap((table) => [
    ...(table === RELEASES_TABLE ? [] : types).map(
      ({ from, to }) =>
        `UPDATE ${id(table)}\n  SET ${id('subject')} = ${text(to)}\n  WHERE ${id('subject')} = ${text(from)};`,
    ),
    ...(JSON_COLUMNS[table] ?? []).map((column) => replace(writer, table, column, members)),
  ]);
}
