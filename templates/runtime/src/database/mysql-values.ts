/** How the values of columns are written as JSON of an answer: as the driver hands them over, and as `jsonScalar` says. */
import type { ScalarType } from '../content-type.ts';
import type { ScalarWriter } from './dialect.ts';
import type { SqlValue } from './sql.ts';

const ZERO = '0'.charCodeAt(0);
const POINT = '.'.charCodeAt(0);

/** All places that a column has come with the value: `3.100000000000000000000000000000`. */
function decimal(value: SqlValue): string {
  const text = String(value);
  let end = text.length;
  while (text.charCodeAt(end - 1) === ZERO) end -= 1;
  if (text.charCodeAt(end - 1) === POINT) end -= 1;
  return text.slice(0, end);
}

const SECONDS = 'HH:mm:ss'.length;

/** The driver leaves zeros at the end out, and the point before nothing else: `12:00:00.5`, `12:00:00`. */
function time(value: SqlValue): string {
  const text = String(value);
  return `"${text.length === SECONDS ? `${text}.000` : text.padEnd(SECONDS + 4, '0')}"`;
}

const DAY = 'YYYY-MM-DD'.length;

/** The driver leaves milliseconds out where there are none: `2024-02-29 12:00:00`. */
function instant(value: SqlValue): string {
  const text = String(value);
  const clock = text.slice(DAY + 1);
  return `"${text.slice(0, DAY)}T${clock}${clock.length === SECONDS ? '.000' : ''}Z"`;
}

/** Nothing in it has to be escaped. */
function quoted(value: SqlValue): string {
  return `"${value}"`;
}

/** How a value of a type is written. */
export function mysqlWriter(type: ScalarType): ScalarWriter {
  switch (type) {
    case 'integer':
    case 'float':
    case 'json':
    case 'blocks':
      return String;
    case 'boolean':
      return (value) => (value === 1 ? 'true' : 'false');
    case 'decimal':
      return decimal;
    case 'biginteger':
    case 'date':
      return quoted;
    case 'time':
      return time;
    case 'datetime':
    case 'timestamp':
      return instant;
    case 'string':
    case 'text':
    case 'richtext':
    case 'email':
    case 'password':
    case 'uid':
    case 'enumeration':
      return JSON.stringify;
  }
}
