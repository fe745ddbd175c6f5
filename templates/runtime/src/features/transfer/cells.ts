/**
 * One value of a row, as a file has it: the same whatever engine it comes from. Text, dates (`YYYY-MM-DD`), times
 * (`HH:mm:ss.SSS`), instants (ISO 8601 UTC with milliseconds), decimals and big integers are text; ids, places, integers and
 * floating-point numbers are numbers; booleans are booleans. JSON is the text that is stored: so nothing of it changes, and
 * its null is not that of SQL.
 */
import type { Dialect } from '../../database/dialect.ts';
import type { Sql, SqlValue } from '../../database/sql.ts';
import { cast, refused, type CastResult } from '../../contract/values/cast-result.ts';
import { castScalar } from '../../contract/values/cast-scalar.ts';
import type { CellType } from './tables.ts';

export type Cell = string | number | boolean | null;

/** A column as it is to be read. */
export function selectCell(dialect: Dialect, type: CellType, column: Sql): Sql {
  return type === 'key' ? column : dialect.plainScalar(type, column);
}

function castKey(value: unknown): CastResult<number> {
  return Number.isSafeInteger(value) ? cast(Number(value)) : refused('must be a whole number');
}

function castCell(type: CellType, value: unknown): CastResult<Cell> {
  switch (type) {
    case 'key':
      return castKey(value);
    case 'json':
    case 'blocks':
      return castScalar('text', value) as CastResult<string>;
    default:
      return castScalar(type, value) as CastResult<Cell>;
  }
}

function read(type: CellType, value: SqlValue): unknown {
  switch (type) {
    case 'key':
    case 'integer':
    case 'float':
    case 'boolean':
      return Number(value);
    default:
      return String(value);
  }
}

/** A cell, or why there is none. */
type CellResult = CastResult<Cell>;

/** What a driver has handed over of a column that was read so. */
export function cellOf(type: CellType, value: SqlValue | undefined): CellResult {
  return value === null || value === undefined ? cast(null) : castCell(type, read(type, value));
}

/** A value of a file, if it is a cell exactly as `cellOf` makes it. */
export function checkCell(type: CellType, value: unknown): CellResult {
  if (value === null) return cast(null);
  const result = castCell(type, value);
  return result.ok && result.value !== value ? refused(`must be written as ${JSON.stringify(result.value)}`) : result;
}

/** A cell as the engine binds it. */
export function bindCell(dialect: Dialect, type: CellType, cell: Cell): SqlValue {
  if (cell === null) return null;
  if (type === 'key') return Number(cell);
  return dialect.bind(type === 'json' || type === 'blocks' ? 'text' : type, cell);
}
