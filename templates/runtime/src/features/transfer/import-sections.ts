/** Validates the sections of an import, and writes their rows. */
import type { Cell, Section, TransferTable } from '../../contract/content-transfer.ts';
import type { Transaction } from '../../database/write-plan.ts';
import { checkCell } from '../../content/stored-rows/cells.ts';
import { ImportFileError } from './import-file-error.ts';
import { createLineHash, fillLine, type SectionSum, tableLine } from './format.ts';
import type { ChangeRow } from './read-section.ts';
import { expectLine, type Source } from './source.ts';
import { createSectionWriter } from './write-section.ts';

/** An imported section. */
export interface ReadSection {
  readonly section: Section;
  readonly sum: SectionSum;
  /** The range of lines of its rows. */
  readonly lines: readonly [from: number, to: number];
  /** The largest id that was ever generated for the table; absent if ids are not generated. */
  readonly lastId?: number;
}

/** Tracks which columns are still missing. */
export interface SectionPlan {
  /**
   * The section that a line begins, its number of rows, and its last id. Throws an ImportFileError if the section is invalid at this point.
   */
  begin(source: Source, value: unknown): { readonly section: Section; readonly rows: number; readonly lastId?: number };
  /** Throws an ImportFileError if a column of any table is missing. */
  finish(source: Source): void;
}

export function isSection(value: unknown): boolean {
  return typeof value === 'object' && value !== null && ('table' in value || 'fill' in value);
}

/** `tables`: the tables of this server, each of which must be complete. */
export function planOf(tables: readonly TransferTable[]): SectionPlan {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const missing = new Map(tables.map(({ name, columns }) => [name, new Set(columns.map((column) => column.name))]));
  const begun = new Set<string>();

  const take = (source: Source, table: string, names: readonly string[], fills: boolean): Section => {
    const known = byName.get(table);
    if (!known) throw new ImportFileError(source.line, `this server has no table ${table}.`);
    if (begun.has(table) !== fills) throw new ImportFileError(source.line, `the rows of ${table} can't begin here.`);
    begun.add(table);
    const columns = names.map((name) => {
      const column = known.columns.find((one) => one.name === name);
      const isNew = missing.get(table)?.delete(name) ?? false;
      if (column && (isNew || (fills && known.key.includes(name)))) return column;
      throw new ImportFileError(source.line, `${table} can't have the column ${name} here.`);
    });
    const lacking = known.key.find((name) => !names.includes(name));
    if (lacking !== undefined) throw new ImportFileError(source.line, `${table} lacks the column ${lacking}.`);
    return { table, key: known.key, columns, fills };
  };
  return {
    begin(source, value) {
      const fills = typeof value === 'object' && value !== null && 'fill' in value;
      if (fills) {
        const { fill, columns, rows } = expectLine(source, value, fillLine, 'the beginning of a section');
        return { section: take(source, fill, columns, true), rows };
      }
      const { table, columns, rows, lastId } = expectLine(source, value, tableLine, 'the beginning of a section');
      return { section: take(source, table, columns, false), rows, ...(lastId === undefined ? {} : { lastId }) };
    },
    finish(source) {
      for (const [table, names] of missing) {
        const [name] = names;
        if (name !== undefined) {
          throw new ImportFileError(source.line, `the column ${name} of ${table} must come before it.`);
        }
      }
    },
  };
}

function cellsOf(source: Source, { columns, table }: Section, value: unknown): Cell[] {
  if (!Array.isArray(value) || value.length !== columns.length) {
    throw new ImportFileError(source.line, `it must be a row of ${table}, with ${columns.length} values.`);
  }
  return columns.map(({ name, type }, index) => {
    const result = checkCell(type, value[index]);
    if (!result.ok) throw new ImportFileError(source.line, `${name} of ${table} ${result.message}.`);
    return result.value;
  });
}

/** The error for a batch that the database rejected, naming its lines. */
function refusal(section: Section, from: number, to: number, error: unknown): Error {
  const reason = error instanceof Error ? error.message : String(error);
  return new Error(
    `The database refused a row of ${section.table}, in the lines ${from} to ${to} of the file: ${reason}. Nothing was imported.`,
    { cause: error },
  );
}

/** Reads the rows of a section and writes them. */
export async function importSection(
  tx: Transaction,
  source: Source,
  begin: ReturnType<SectionPlan['begin']>,
  options: { readonly change: ChangeRow; readonly onRow: (done: number) => void },
): Promise<ReadSection> {
  const { section, rows } = begin;
  const from = source.line + 1;
  const own = createLineHash();
  const writer = createSectionWriter(tx, section);
  const idIndex = section.columns.findIndex(({ name }) => name === 'id');
  let lastId = begin.lastId ?? 0;
  let written = from;
  const refusing = async (work: Promise<boolean>): Promise<void> => {
    try {
      if (await work) written = source.line + 1;
    } catch (error) {
      throw refusal(section, written, source.line, error);
    }
  };
  source.sumInto(own);
  for (let done = 1; done <= rows; done += 1) {
    const cells = cellsOf(source, section, await source.next());
    if (idIndex !== -1) lastId = Math.max(lastId, Number(cells[idIndex]));
    await refusing(writer.add(options.change(cells), source.length));
    options.onRow(done);
  }
  source.sumInto(undefined);
  await refusing(writer.finish());
  const sum = { table: section.table, rows, sha256: own.sha256() };
  return { section, sum, lines: [from, source.line], ...(begin.lastId === undefined ? {} : { lastId }) };
}
