/** SQL conditions on values that a conversion would change. There is none where the engine's cast itself fails for them. */
import type { Dialect } from '../../model/content-model.ts';
import type { ColumnType } from '../../storage/storage-model.ts';
import { isText, isWhole, withoutTrailingZeros } from './cast.ts';

/** The maximum length of a `string`, in characters. */
const MAX_STRING = 255;

const INT32 = 'BETWEEN -2147483648 AND 2147483647';
const INT64 = 'BETWEEN -9223372036854775808 AND 9223372036854775807';

const MONTHS_AND_DAYS =
  '((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))';
const FOURTHS = '(0[48]|[2468][048]|[13579][26])';
const DAY = `([0-9]{4}-${MONTHS_AND_DAYS}|([0-9]{2}${FOURTHS}|${FOURTHS}00)-02-29)`;
const TIME = '([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9][.][0-9]{3}';

/**
 * The canonical text forms of these types, as regular expressions. Each engine's cast accepts more than that: `1.5` and `1e3` as
 * integers, `yes` as a boolean, `20240229` as a date, `PM` and time zones in times.
 */
const FORMS: Partial<Readonly<Record<ColumnType, readonly string[]>>> = {
  integer: ['(0|-?[1-9][0-9]{0,9})'],
  biginteger: ['(0|-?[1-9][0-9]{0,18})'],
  decimal: ['-?(0|[1-9][0-9]{0,34})([.][0-9]{1,30})?'],
  float: [
    '-?(0|[1-9][0-9]{0,249})([.][0-9]{1,250})?',
    '-?[1-9]([.][0-9]{1,250})?[eE]([+]?([0-9]{1,2}|[12][0-9]{2}|30[0-7])|-([0-9]{1,2}|[12][0-9]{2}|3[01][0-9]|32[0-4]))',
    '-?1([.][0-7][0-9]{0,250})?[eE][+]?308',
  ],
  date: [`(?!0000)${DAY}`],
  time: [TIME],
  datetime: [`(?!0000)${DAY}T${TIME}Z`],
};

/** A text of digits as a number of any size, so that its range can be checked before it is cast. */
function exactNumber(dialect: 'postgres' | 'mysql', value: string): string {
  return dialect === 'postgres' ? `${value}::numeric` : `CAST(${value} AS decimal(65,0))`;
}

/** The lookahead is needed because `$` also matches before a trailing line feed on MySQL and MariaDB. */
function otherText(dialect: 'postgres' | 'mysql', to: ColumnType, value: string): string | undefined {
  const forms = FORMS[to];
  if (!forms) return undefined;
  const matches = forms.map((form) =>
    dialect === 'postgres' ? `${value} ~ '^${form}$'` : `${value} REGEXP '^${form}$(?![[:space:]])'`,
  );
  const isOther = `NOT (${matches.join(' OR ')})`;
  if (!isWhole(to)) return isOther;
  const range = to === 'integer' ? INT32 : INT64;
  return `CASE WHEN ${isOther} THEN TRUE ELSE ${exactNumber(dialect, value)} NOT ${range} END`;
}

/** SQLite casts any text to a number, and stores any text as a time or a decimal. */
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

/** The condition on text that is too long for an index. */
export function isTooLong(dialect: Dialect, value: string): string {
  return `${dialect === 'sqlite' ? 'length' : 'char_length'}(${value}) > ${MAX_STRING}`;
}

function condition(dialect: Dialect, from: ColumnType, to: ColumnType, value: string): string | undefined {
  if (to === 'boolean') {
    if (isWhole(from)) return `${value} NOT IN (0, 1)`;
    return isText(from) ? `${value} NOT IN ('true', 'false')` : undefined;
  }
  if (from === 'text' && to === 'string') {
    // PostgreSQL's cast truncates longer values, and SQLite keeps them.
    return isTooLong(dialect, value);
  }
  if (from === 'datetime' && to === 'date') return hasTime(dialect, value);
  if (dialect === 'sqlite') return isText(from) ? sqliteText(to, value) : sqliteNumber(from, to, value);
  return isText(from) ? otherText(dialect, to, value) : otherNumber(dialect, from, to, value);
}

/** The condition on rows whose value the conversion would change; undefined if there are none, or if the cast itself fails. */
export function misfit(dialect: Dialect, from: ColumnType, to: ColumnType, value: string): string | undefined {
  const where = condition(dialect, from, to, value);
  return where === undefined ? undefined : `${value} IS NOT NULL AND (${where})`;
}
