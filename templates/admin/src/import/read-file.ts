/** Reads a CSV file: its encoding, its delimiter, and its rows with the lines they begin in. */
import { parse } from 'papaparse';

/** The largest file, in bytes. */
export const MAX_BYTES = 10 * 1024 * 1024;
export const MAX_ROWS = 10_000;
export const MAX_COLUMNS = 200;

export const ENCODINGS = ['utf-8', 'windows-1252', 'utf-16le', 'utf-16be'] as const;
export type Encoding = (typeof ENCODINGS)[number];

export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

export interface Row {
  /** From 1, as editors count them: a cell may have several lines. */
  readonly line: number;
  readonly cells: readonly string[];
}

export interface Table {
  readonly encoding: Encoding;
  readonly delimiter: Delimiter;
  readonly header: readonly string[];
  readonly rows: readonly Row[];
  /** Identifies the content of the file. */
  readonly hash: string;
}

/** Why a file can't be imported: the name of a text with its values. */
export class FileProblem extends Error {
  readonly values: Readonly<Record<string, unknown>>;

  constructor(name: string, values: Readonly<Record<string, unknown>> = {}) {
    super(`csv.file.${name}`);
    this.values = values;
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** By its byte order mark; without one, UTF-8 if it can be that, and otherwise what spreadsheets save on Windows. */
function encodingOf(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252';
}

/** 106 bits. Not from `crypto.subtle`, which pages without TLS don't have: nothing is to be kept secret. */
export function hashOf(text: string): string {
  const half = (seed: number): string => {
    let [one, two] = [0xdead_beef ^ seed, 0x41c6_ce57 ^ seed];
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      one = Math.imul(one ^ code, 2_654_435_761);
      two = Math.imul(two ^ code, 1_597_334_677);
    }
    one = Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(two ^ (two >>> 13), 3_266_489_909);
    two = Math.imul(two ^ (two >>> 16), 2_246_822_507) ^ Math.imul(one ^ (one >>> 13), 3_266_489_909);
    return (4_294_967_296 * (2_097_151 & two) + (one >>> 0)).toString(36);
  };
  return `${half(0)}${half(1)}`;
}

function linesIn(text: string, from: number, to: number): number {
  return text.slice(from, to).match(/\r\n|\r|\n/gu)?.length ?? 0;
}

/** By how many cells the first rows have; the more often as many as there are titles, the likelier. */
function delimiterOf(text: string): Delimiter {
  const cells = (delimiter: Delimiter): number => {
    const { data } = parse<string[]>(text, { delimiter, preview: 20, skipEmptyLines: true });
    const [header, ...rows] = data;
    if (!header || header.length < 2) return 0;
    return rows.filter((row) => row.length === header.length).length * header.length;
  };
  const [best] = DELIMITERS.map((one) => [one, cells(one)] as const).sort((one, other) => other[1] - one[1]);
  return best?.[0] ?? ',';
}

function rowsOf(text: string, delimiter: Delimiter): readonly Row[] {
  const rows: Row[] = [];
  let [line, from] = [1, 0];
  parse<string[]>(text, {
    delimiter,
    step({ data, meta }, parser) {
      if (data.some((cell) => cell.trim() !== '')) rows.push({ line, cells: data });
      line += linesIn(text, from, meta.cursor);
      from = meta.cursor;
      if (rows.length > MAX_ROWS + 1) parser.abort();
    },
  });
  return rows;
}

export interface Reading {
  /** Undefined: as the file has it. */
  readonly encoding?: Encoding | undefined;
  readonly delimiter?: Delimiter | undefined;
}

/** Throws FileProblem. */
export async function readTable(file: Blob, { encoding, delimiter }: Reading): Promise<Table> {
  if (file.size > MAX_BYTES) throw new FileProblem('tooLarge', { most: MAX_BYTES / 1024 / 1024 });
  const bytes = new Uint8Array(await file.arrayBuffer());
  const used = encoding ?? encodingOf(bytes);
  const text = new TextDecoder(used).decode(bytes);
  const between = delimiter ?? delimiterOf(text);
  const [header, ...rows] = rowsOf(text, between);
  if (!header || rows.length === 0) throw new FileProblem('empty');
  if (rows.length > MAX_ROWS) throw new FileProblem('tooManyRows', { most: MAX_ROWS });
  if (header.cells.length > MAX_COLUMNS) throw new FileProblem('tooManyColumns', { most: MAX_COLUMNS });
  return {
    encoding: used,
    delimiter: between,
    header: header.cells.map((cell) => cell.trim()),
    rows,
    hash: hashOf(text),
  };
}
