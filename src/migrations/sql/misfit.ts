/** Values that a conversion would change, as conditions in each engine's SQL. Where the cast refuses them by itself, there is none. */
import type { Dialect } from '../../model/content-model.ts';
import type { ColumnType } from '../../storage/storage-model.ts';

/** How many characters a `string` has. */
const MAX_STRING = 255;

const INT32 = 'BETWEEN -2147483648 AND 2147483647';

function isText(type: ColumnType): boolean {
  return type === 'text' || type === 'string';
}

function isWhole(type: ColumnType): boolean {
  return type === 'integer' || type === 'biginteger';
}

/** SQLite casts any text to any number, and keeps times and decimals as text whatever it says. */
function sqliteText(to: ColumnType, value: string): string | undefined {
  switch (to) {
    case 'integer':
      return `CAST(CAST(${value} AS integer) AS text) <> ${value} OR CAST(${value} AS integer) NOT ${INT32}`;
    case 'biginteger':
      return `CAST(CAST(${value} AS integer) AS text) <> ${value}`;
    case 'float':
    case 'decimal':
      return `CASE WHEN json_valid(${value}) THEN json_type(${value}) NOT IN ('integer', 'real') ELSE 1 END`;
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

/** PostgreSQL also takes words such as `today`. */
const POSTGRES_FORMS: Partial<Readonly<Record<ColumnType, string>>> = {
  date: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
  time: '^[0-9]{2}:[0-9]{2}:[0-9]{2}',
  datetime: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T',
};

/** What the other engines don't refuse by themselves. */
function otherText(dialect: 'postgres' | 'mysql', to: ColumnType, value: string): string | undefined {
  if (dialect === 'mysql') return to === 'time' ? `${value} NOT BETWEEN '00:00:00' AND '23:59:59.999'` : undefined;
  const form = POSTGRES_FORMS[to];
  return form === undefined ? undefined : `${value} !~ '${form}'`;
}

function sqliteNumber(from: ColumnType, to: ColumnType, value: string): string | undefined {
  if (!isWhole(to) || from === 'integer' || from === to) return undefined;
  const isFraction = `CAST(CAST(${value} AS integer) AS real) <> CAST(${value} AS real)`;
  const isLong = `CAST(${value} AS integer) NOT ${INT32}`;
  return [...(isWhole(from) ? [] : [isFraction]), ...(to === 'integer' ? [isLong] : [])].join(' OR ');
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
    return isText(from) && dialect !== 'postgres' ? `${value} NOT IN ('true', 'false')` : undefined;
  }
  if (from === 'text' && to === 'string') {
    // PostgreSQL's cast cuts them off, and SQLite keeps them.
    return `${dialect === 'sqlite' ? 'length' : 'char_length'}(${value}) > ${MAX_STRING}`;
  }
  if (from === 'datetime' && to === 'date') return hasTime(dialect, value);
  const isFraction = (from === 'decimal' || from === 'float') && isWhole(to);
  switch (dialect) {
    case 'sqlite':
      if (isText(from)) return sqliteText(to, value);
      return isFraction || isWhole(from) ? sqliteNumber(from, to, value) : undefined;
    case 'postgres':
      if (isText(from)) return otherText(dialect, to, value);
      return isFraction ? `${value} <> trunc(${value})` : undefined;
    case 'mysql':
      if (isText(from)) return otherText(dialect, to, value);
      return isFraction ? `${value} <> TRUNCATE(${value}, 0)` : undefined;
  }
}

/** The condition on rows whose value another type does not hold as it is; undefined where there are none, or the cast itself fails. */
export function misfit(dialect: Dialect, from: ColumnType, to: ColumnType, value: string): string | undefined {
  const where = condition(dialect, from, to, value);
  return where === undefined ? undefined : `${value} IS NOT NULL AND (${where})`;
}
