/** Conditions on values that a conversion would change, in each engine's SQL. None is needed where the cast itself fails. */
import type { Dialect } from '../../model/content-model.ts';
import type { ColumnType } from '../../storage/storage-model.ts';
import { withoutTrailingZeros } from './cast.ts';

/** The maximum length of a `string`, in characters. */
const MAX_STRING = 255;

const INT32 = 'BETWEEN -2147483648 AND 2147483647';
const INT64 = 'BETWEEN -9223372036854775808 AND 9223372036854775807';

function isText(type: ColumnType): boolean {
  return type === 'text' || type === 'string';
}

function isWhole(type: ColumnType): boolean {
  return type === 'integer' || type === 'biginteger';
}

/** SQLite casts any text to a number, and stores times and decimals as unchecked text. */
function sqliteText(to: ColumnType, value: string): string | undefined {
  const number = (others: string): string =>
    `CASE WHEN ${value} GLOB '*[^${others}]*' OR NOT json_valid(${value}) THEN 1 ELSE json_type(${value}) NOT IN ('integer', 'real') END`;
  switch (to) {
    case 'integer':
      return `CAST(CAST(${value} AS integer) AS text) <> ${value} OR CAST(${value} AS integer) NOT ${INT32}`;
    case 'biginteger':
      return `CAST(CAST(${value} AS integer) AS text) <> ${value}`;
    case 'float':
      return `${number('-+.0-9eE')} OR abs(CAST(${value} AS real)) > 1.7976931348623157e308`;
    case 'decimal':
      return number('-.0-9');
    case 'date':
      return `date(${value}) IS NOT ${value}`;
    case 'time':
      return `strftime('%H:%M:%f', ${value}) IS NOT ${value}`;
    case 'datetime':
      return `strftime('%Y-%m-%dT%H:%M:%fZ', ${value}) IS NOT ${value}`;
    default:
      return undefined;
  }
}

/** PostgreSQL also accepts words such as `today`. */
const POSTGRES_FORMS: Partial<Readonly<Record<ColumnType, string>>> = {
  date: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
  time: '^[0-9]{2}:[0-9]{2}:[0-9]{2}',
  datetime: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T',
};

/** The condition on text that the casts of the other engines don't reject. */
function otherText(dialect: 'postgres' | 'mysql', to: ColumnType, value: string): string | undefined {
  if (dialect === 'mysql') return to === 'time' ? `${value} NOT BETWEEN '00:00:00' AND '23:59:59.999'` : undefined;
  const form = POSTGRES_FORMS[to];
  return form === undefined ? undefined : `${value} !~ '${form}'`;
}

function sqliteNumber(from: ColumnType, to: ColumnType, value: string): string | undefined {
  if (!isWhole(to) || from === 'integer' || from === to) return undefined;
  // Decimals are stored as text, and a cast of one that is out of range yields the largest integer.
  const isFraction =
    from === 'decimal'
      ? `CAST(CAST(${value} AS integer) AS text) <> ${withoutTrailingZeros(value)}`
      : `CAST(CAST(${value} AS integer) AS real) <> CAST(${value} AS real)`;
  const isLong = `CAST(${value} AS integer) NOT ${INT32}`;
  return [...(isWhole(from) ? [] : [isFraction]), ...(to === 'integer' ? [isLong] : [])].join(' OR ');
}

function otherNumber(
  dialect: 'postgres' | 'mysql',
  from: ColumnType,
  to: ColumnType,
  value: string,
): string | undefined {
  if (!isWhole(to) || from === 'integer' || from === to || from === 'boolean') return undefined;
  const whole = dialect === 'postgres' ? `trunc(${value})` : `TRUNCATE(${value}, 0)`;
  const isLong = `${value} NOT ${to === 'integer' ? INT32 : INT64}`;
  return [...(isWhole(from) ? [] : [`${value} <> ${whole}`]), isLong].join(' OR ');
}

function hasTime(dialect: Dialect, value: string): string {
  switch (dialect) {
    case 'sqlite':
      return `substr(${value}, 11) <> 'T00:00:00.000Z'`;
    case 'postgres':
      return `${value} <> date_trunc('day', ${value} AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'`;
    case 'mysql':
      return `TIME(${value}) <> '00:00:00'`;
  }
}

function condition(dialect: Dialect, from: ColumnType, to: ColumnType, value: string): string | undefined {
  if (to === 'boolean') {
    if (isWhole(from)) return `${value} NOT IN (0, 1)`;
    return isText(from) ? `${value} NOT IN ('true', 'false')` : undefined;
  }
  if (from === 'text' && to === 'string') {
    // PostgreSQL's cast truncates longer text, and SQLite keeps it.
    return `${dialect === 'sqlite' ? 'length' : 'char_length'}(${value}) > ${MAX_STRING}`;
  }
  if (from === 'datetime' && to === 'date') return hasTime(dialect, value);
  if (dialect === 'sqlite') return isText(from) ? sqliteText(to, value) : sqliteNumber(from, to, value);
  return isText(from) ? otherText(dialect, to, value) : otherNumber(dialect, from, to, value);
}

/** The condition on rows whose value the new type can't represent; undefined if there are none, or if the cast itself fails. */
export function misfit(dialect: Dialect, from: ColumnType, to: ColumnType, value: string): string | undefined {
  const where = condition(dialect, from, to, value);
  return where === undefined ? undefined : `${value} IS NOT NULL AND (${where})`;
}
