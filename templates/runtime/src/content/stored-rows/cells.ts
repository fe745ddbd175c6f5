/** Cells of rows: from and to the values of each engine. */
import type { Dialect } from '../../database/dialect.ts';
import type { Sql, SqlValue } from '../../database/sql.ts';
import { type CastResult, err, ok } from '../../contract/values/cast-result.ts';
import { castScalar } from '../../contract/attribute-types/scalar-type.ts';
import type { Cell, CellType } from '../../contract/content-transfer.ts';

/** The expression that selects a column. */
export function selectCell(dialect: Dialect, type: CellType, column: Sql): Sql {
  return type === 'key' ? column : dialect.plainScalar(type, column);
}

function castKey(value: unknown): CastResult<number> {
  return Number.isSafeInteger(value) ? ok(Number(value)) : err('must be a whole number');
}

function castCell(type: CellType, value: unknown): CastResult<Cell> {
  switch (type) {
    case 'key':
      return castKey(value);
    case 'json':
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

/** A cell, or why the value is invalid. */
type CellResult = CastResult<Cell>;

/** Converts a value that was read by `selectCell`. */
export function cellOf(type: CellType, value: SqlValue | undefined): CellResult {
  return value === null || value === undefined ? ok(null) : castCell(type, read(type, value));
}

/** Validates a value from an import file: it must have exactly the form that `cellOf` produces. */
export function checkCell(type: CellType, value: unknown): CellResult {
  if (value === null) return ok(null);
  const result = castCell(type, value);
  return result.ok && result.value !== value ? err(`must be written as ${JSON.stringify(result.value)}`) : result;
}

/** The bound parameter for a cell. */
export function bindCell(dialect: Dialect, type: CellType, cell: Cell): SqlValue {
  if (cell === null) return null;
  if (type === 'key') return Number(cell);
  return dialect.bind(type === 'json' ? 'text' : type, cell);
}
