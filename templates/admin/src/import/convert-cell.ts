/** Converts the text of a cell to the value that the API takes. */
import { attributeType } from '../../../runtime/src/contract/attribute-types/scalar-type.ts';
import { enumLabelOf, type ScalarAttribute } from '../model/model.ts';
import { parseNumber } from '../fields/conversions.ts';
import type { DateOrder, ImportSettings } from './import-settings.ts';

/** Why a cell can't be converted: the name of a text with its values. */
export class CellProblem extends Error {
  readonly values: Readonly<Record<string, unknown>>;

  constructor(name: string, values: Readonly<Record<string, unknown>> = {}) {
    super(`csv.cell.${name}`);
    this.values = values;
  }
}

type Converting = Pick<ImportSettings, 'decimal' | 'dates'>;

const YES: ReadonlySet<string> = new Set([
  'true',
  'yes',
  'y',
  '1',
  'x',
  'on',
  'ja',
  'wahr',
  'oui',
  'vrai',
  'sí',
  'si',
  'verdadero',
]);
const NO: ReadonlySet<string> = new Set(['false', 'no', 'n', '0', 'off', 'nein', 'falsch', 'non', 'faux', 'falso']);

function numberOf(text: string, { decimal }: Converting): unknown {
  const grouping = decimal === ',' ? /[.\s'’]/gu : /[,\s'’]/gu;
  const plain = text.replaceAll(grouping, '').replace(',', '.');
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/iu.test(plain)) throw new CellProblem('number');
  return parseNumber(plain.replace(/^\+/u, ''));
}

function booleanOf(text: string): boolean {
  const word = text.toLowerCase();
  if (YES.has(word)) return true;
  if (NO.has(word)) return false;
  throw new CellProblem('boolean');
}

const ISO = /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})$/u;
const PARTS: Readonly<Record<DateOrder, RegExp>> = {
  ymd: /^(?<year>\d{4})[./-](?<month>\d{1,2})[./-](?<day>\d{1,2})$/u,
  dmy: /^(?<day>\d{1,2})[./-](?<month>\d{1,2})[./-](?<year>\d{4})$/u,
  mdy: /^(?<month>\d{1,2})[./-](?<day>\d{1,2})[./-](?<year>\d{4})$/u,
};

function dateOf(text: string, { dates }: Converting): string {
  const { year, month = '', day = '' } = (ISO.exec(text) ?? PARTS[dates].exec(text))?.groups ?? {};
  if (year === undefined) throw new CellProblem('date');
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

const TIME = /^(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:\.(?<part>\d{1,3})\d*)?)?$/u;

function timeOf(text: string): string {
  const { hour, minute, second = '00', part = '' } = TIME.exec(text)?.groups ?? {};
  if (hour === undefined || minute === undefined) throw new CellProblem('time');
  return `${hour.padStart(2, '0')}:${minute}:${second}.${part.padEnd(3, '0')}`;
}

/** A moment without an offset is one of the browser's time zone. */
function momentOf(text: string, settings: Converting): string {
  const [, day = '', time = '00:00', offset = ''] =
    /^(\S+?)(?:[T\s]+(\d[\d:.]*))?\s*(Z|[+-]\d{2}:?\d{2})?$/u.exec(text) ?? [];
  const moment = new Date(`${dateOf(day, settings)}T${timeOf(time)}${offset}`);
  if (Number.isNaN(moment.getTime())) throw new CellProblem('moment');
  return moment.toISOString();
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new CellProblem('json');
  }
}

/** By value, or by the name that people see. Others are the server's to refuse. */
function choiceOf(text: string, attribute: ScalarAttribute): string {
  const values = attribute.enum ?? [];
  const word = text.toLowerCase();
  return (
    values.find((value) => value === text) ??
    values.find((value) => enumLabelOf(attribute, value).toLowerCase() === word) ??
    text
  );
}

/** Exports of lists put an apostrophe before what a spreadsheet would take for a formula. */
function withoutApostrophe(text: string): string {
  return /^'[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/u.test(text) ? text.slice(1) : text;
}

/** Throws CellProblem. The cell is not empty. */
export function convertCell(cell: string, attribute: ScalarAttribute, settings: Converting): unknown {
  const text = cell.trim();
  switch (attributeType(attribute.type).input) {
    case 'integer':
    case 'biginteger':
    case 'decimal':
      return numberOf(withoutApostrophe(text), settings);
    case 'switch':
      return booleanOf(text);
    case 'date':
      return dateOf(text, settings);
    case 'time':
      return timeOf(text);
    case 'datetime':
      return momentOf(text, settings);
    case 'json':
    case 'blocks':
      return jsonOf(text);
    case 'select':
      return choiceOf(withoutApostrophe(text), attribute);
    case 'email':
    case 'slug':
      return withoutApostrophe(text);
    default:
      return withoutApostrophe(cell);
  }
}
