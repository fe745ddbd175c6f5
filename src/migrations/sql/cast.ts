/** SQL expressions for the conversions that `conversionOf` allows, and for their reverse, on each engine. */
import type { ColumnType } from '../../storage/storage-model.ts';
import { POSTGRES_TYPES } from './postgres-types.ts';

export function isText(type: ColumnType): boolean {
  return type === 'text' || type === 'string';
}

export function isWhole(type: ColumnType): boolean {
  return type === 'integer' || type === 'biginteger';
}

/** A decimal stored as text, without trailing zeros after the point. */
export function withoutTrailingZeros(value: string): string {
  return `CASE WHEN instr(${value}, '.') THEN rtrim(rtrim(${value}, '0'), '.') ELSE ${value} END`;
}

/** SQLite stores times and decimals as text, and booleans as numbers. */
export function sqliteCast(from: ColumnType, to: ColumnType, value: string): string {
  if (isText(to)) {
    if (from === 'boolean') return `CASE ${value} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END`;
    if (from === 'float') {
      const whole = `CAST(CAST(${value} AS integer) AS text)`;
      return `CASE WHEN abs(${value}) < 1e15 AND ${value} = CAST(${value} AS integer) THEN ${whole} ELSE CAST(${value} AS text) END`;
    }
    return isWhole(from) ? `CAST(${value} AS text)` : value;
  }
  if (isText(from)) {
    if (to === 'boolean') return `CASE ${value} WHEN 'true' THEN 1 WHEN 'false' THEN 0 END`;
    if (to === 'float') return `CAST(${value} AS real)`;
    // Without trailing zeros, as the other engines return decimals.
    if (to === 'decimal') return withoutTrailingZeros(value);
    return isWhole(to) ? `CAST(${value} AS integer)` : value;
  }
  if (to === 'decimal') return `CAST(${value} AS text)`;
  if (to === 'float') return `CAST(${value} AS real)`;
  if (from === 'date' && to === 'datetime') return `${value} || 'T00:00:00.000Z'`;
  if (from === 'datetime' && to === 'date') return `substr(${value}, 1, 10)`;
  return from === 'decimal' || from === 'float' ? `CAST(${value} AS integer)` : value;
}

/** Times become text in the server's format, regardless of the session's settings. */
export function postgresCast(from: ColumnType, to: ColumnType, value: string): string {
  const type = POSTGRES_TYPES[to];
  if (isText(to)) {
    if (from === 'time') return `to_char(${value}, 'HH24:MI:SS.MS')`;
    if (from === 'datetime') return `to_char(${value} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
    return from === 'date' ? `to_char(${value}, 'YYYY-MM-DD')` : `${value}::${type}`;
  }
  if (from === 'date' && to === 'datetime') return `${value}::timestamp AT TIME ZONE 'UTC'`;
  if (from === 'datetime' && to === 'date') return `(${value} AT TIME ZONE 'UTC')::date`;
  if (from === 'boolean' && isWhole(to)) return `${value}::integer`;
  if (to === 'boolean' && isWhole(from)) return `${value} <> 0`;
  return `${value}::${type}`;
}

/** The conversions that MySQL does not do itself when the type of a column changes. */
export function mysqlCast(from: ColumnType, to: ColumnType, value: string): string {
  const thousandths = `LPAD(MICROSECOND(${value}) DIV 1000, 3, '0')`;
  if (isText(to)) {
    switch (from) {
      case 'boolean':
        return `CASE ${value} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END`;
      case 'decimal':
        return `TRIM(TRAILING '.' FROM TRIM(TRAILING '0' FROM CAST(${value} AS char)))`;
      case 'date':
        return `DATE_FORMAT(${value}, '%Y-%m-%d')`;
      case 'time':
        return `CONCAT(TIME_FORMAT(${value}, '%H:%i:%s.'), ${thousandths})`;
      case 'datetime':
        return `CONCAT(DATE_FORMAT(${value}, '%Y-%m-%dT%H:%i:%s.'), ${thousandths}, 'Z')`;
      default:
        return `CAST(${value} AS char)`;
    }
  }
  if (isText(from)) {
    if (to === 'boolean') return `CASE ${value} WHEN 'true' THEN 1 WHEN 'false' THEN 0 END`;
    if (to === 'datetime') return `REPLACE(REPLACE(${value}, 'T', ' '), 'Z', '')`;
  }
  return from === 'datetime' && to === 'date' ? `DATE(${value})` : value;
}
