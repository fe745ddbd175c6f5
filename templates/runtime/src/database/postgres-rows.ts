/** Converts rows of PostgreSQL, which arrive as text, to plain values. */
import type { Row } from './statement-runner.ts';
import type { SqlValue } from './sql.ts';

const INT8 = 20;
const BOOL = 16;
const NUMBERS: ReadonlySet<number> = new Set([21, 23, 26, 700, 701]);

function bigInteger(text: string): SqlValue {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

/** The parser of a type; other types stay the text that they are on the wire. */
function parserOf(type: number): ((text: string) => SqlValue) | undefined {
  if (NUMBERS.has(type)) return Number;
  if (type === BOOL) return (text) => (text === 't' ? 1 : 0);
  return type === INT8 ? bigInteger : undefined;
}

/** A column as the server describes it. */
export interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

/** Makes a row from the texts of its columns. */
export type ReadRow = (texts: readonly (string | null)[]) => Row;

export function rowReader(fields: readonly Field[]): ReadRow {
  const columns = fields.map(({ name, dataTypeID }) => ({ name, parse: parserOf(dataTypeID) }));
  return (texts) => {
    const row: Row = {};
    for (let index = 0; index < columns.length; index += 1) {
      const column = columns[index];
      const text = texts[index] ?? null;
      if (column) row[column.name] = text === null || !column.parse ? text : column.parse(text);
    }
    return row;
  };
}
