/** Makes the writes of a file from its rows. */
import { type ContentType, isScalar, labelOf } from '../model/model.ts';
import type { ModelIndex } from '../model/model-context.tsx';
import type { Body } from '../rest/entry-body.ts';
import { CellProblem, convertCell } from './convert-cell.ts';
import { type ImportSettings, uniqueColumns } from './import-settings.ts';
import type { Found } from './look-up.ts';
import type { Row, Table } from './read-file.ts';

/** A row as it is written. */
export interface Write {
  readonly line: number;
  readonly data: Body;
  /** The entry that is updated; undefined: one is created. */
  readonly id?: number;
}

/** Why a row is not imported. */
export interface Refusal {
  readonly line: number;
  /** The title of the column; empty if it is the whole row. */
  readonly column: string;
  readonly text: string;
}

/** Column → what its texts stand for. `key`: what the existing entries are found by. */
export type AllFound = Readonly<Record<string, Found>>;

/** Between the entries of one cell. */
const SEPARATOR = '|';

export function namesIn(cell: string, isMultiple: boolean): readonly string[] {
  const parts = isMultiple ? cell.split(SEPARATOR) : [cell];
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** The texts that have to be looked up: by column, and by `key`. */
export function wantedTexts(
  table: Table,
  type: ContentType,
  { columns, updateBy }: ImportSettings,
): Readonly<Record<string, readonly string[]>> {
  const wanted: Record<string, readonly string[]> = {};
  for (const [at, { name, by = 'id' }] of Object.entries(columns)) {
    const attribute = type.attributes[name];
    const texts = (isMultiple: boolean) => [
      ...new Set(table.rows.flatMap(({ cells }) => namesIn(cells[Number(at)] ?? '', isMultiple))),
    ];
    if (attribute?.type === 'relation' && by !== 'id') wanted[at] = texts(attribute.multiple);
    if (name === updateBy) wanted['key'] = texts(false);
  }
  return wanted;
}

interface Building {
  readonly table: Table;
  readonly type: ContentType;
  readonly settings: ImportSettings;
  readonly index: ModelIndex;
  readonly found: AllFound;
  readonly translate: (key: string, values?: Readonly<Record<string, unknown>>) => string;
}

function idOf(text: string, found: Found | undefined): number {
  if (!found) {
    if (/^\d{1,15}$/u.test(text)) return Number(text);
    throw new CellProblem('id', { value: text });
  }
  const id = Object.hasOwn(found, text) ? found[text] : undefined;
  if (id === undefined) throw new CellProblem('notFound', { value: text });
  if (id === 'several') throw new CellProblem('several', { value: text });
  return id;
}

function valueOf({ type, settings, found }: Building, at: number, cell: string): unknown {
  const column = settings.columns[at];
  const attribute = column && type.attributes[column.name];
  if (attribute?.type === 'relation') {
    const ids = namesIn(cell, attribute.multiple).map((text) => idOf(text, found[at]));
    return attribute.multiple ? ids : (ids[0] ?? null);
  }
  return attribute && isScalar(attribute) ? convertCell(cell, attribute, settings) : undefined;
}

function keyOf({ settings: { columns, updateBy }, found }: Building, { cells }: Row): number | undefined {
  const [at] = Object.entries(columns).find(([, { name }]) => name === updateBy) ?? [];
  const text = at === undefined ? '' : (cells[Number(at)] ?? '').trim();
  return text === '' || !found['key'] || !Object.hasOwn(found['key'], text) ? undefined : idOf(text, found['key']);
}

/** Rows with the same value of a unique attribute: the server would only see those of one batch together. */
function repeated({ table, type, settings }: Building): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  for (const [at] of uniqueColumns(type, settings)) {
    const first = new Map<string, number>();
    for (const { line, cells } of table.rows) {
      const text = (cells[at] ?? '').trim();
      const before = text === '' ? undefined : first.get(text);
      if (before === undefined) first.set(text, line);
      else lines.set(`${line} ${at}`, before);
    }
  }
  return lines;
}

export interface BuiltRows {
  readonly writes: readonly Write[];
  readonly refusals: readonly Refusal[];
}

export function buildRows(building: Building): BuiltRows {
  const { table, type, settings, translate } = building;
  const writes: Write[] = [];
  const refusals: Refusal[] = [];
  const again = repeated(building);
  const fixed = {
    ...(settings.locale !== undefined && { locale: settings.locale }),
  };
  for (const row of table.rows) {
    const before = refusals.length;
    const refuse = (at: number | undefined, problem: CellProblem): void => {
      const column = at === undefined ? '' : (table.header[at] ?? '');
      refusals.push({ line: row.line, column, text: translate(problem.message, problem.values) });
    };
    const data: Record<string, unknown> = {};
    for (const at of Object.keys(settings.columns).map(Number)) {
      const cell = row.cells[at] ?? '';
      const { name } = settings.columns[at] ?? { name: '' };
      if (cell.trim() === '') continue;
      try {
        const other = again.get(`${row.line} ${at}`);
        if (other !== undefined) throw new CellProblem('repeated', { line: other });
        data[name] = valueOf(building, at, cell);
      } catch (error) {
        if (!(error instanceof CellProblem)) throw error;
        refuse(at, error);
      }
    }
    if (row.cells.length > table.header.length) refuse(undefined, new CellProblem('tooLong'));
    try {
      const id = keyOf(building, row);
      if (refusals.length > before) continue;
      if (id !== undefined) writes.push({ line: row.line, data, id });
      else {
        const state = type.draftAndPublish && settings.isDraft ? { publishedAt: null } : {};
        writes.push({ line: row.line, data: { ...data, ...fixed, ...state } });
      }
    } catch (error) {
      if (!(error instanceof CellProblem)) throw error;
      refuse(undefined, error);
    }
  }
  return { writes, refusals };
}

/** The title of the column that a message of the server is about. */
export function columnOf(name: string, { header }: Table, { columns }: ImportSettings, type: ContentType): string {
  const [at] = Object.entries(columns).find(([, column]) => column.name === name) ?? [];
  if (at !== undefined) return header[Number(at)] ?? name;
  const attribute = type.attributes[name];
  return attribute ? labelOf(name, attribute) : name;
}
