/** How columns of a row are selected, and written as the JSON that `jsonScalar` would make. */
import type { ColumnType } from '../contract/attribute-types/column-type.ts';
import type { RowScalar } from './dialect.ts';
import { sql, type Sql, type SqlValue } from './sql.ts';

const ZERO = '0'.charCodeAt(0);
const POINT = '.'.charCodeAt(0);

/** Values come with all decimal places of the column: `3.100000000000000000000000000000`. */
function decimal(value: SqlValue): string {
  const text = String(value);
  let end = text.length;
  while (text.charCodeAt(end - 1) === ZERO) end -= 1;
  if (text.charCodeAt(end - 1) === POINT) end -= 1;
  return text.slice(0, end);
}

const DAY = 'YYYY-MM-DD'.length;

/** From `2024-02-29 12:00:00.000`. */
function instant(value: SqlValue): string {
  const text = String(value);
  return `"${text.slice(0, DAY)}T${text.slice(DAY + 1)}Z"`;
}

/** Contains nothing that has to be escaped. */
function quoted(value: SqlValue): string {
  return `"${value}"`;
}

function unchanged(column: Sql): Sql {
  return column;
}

/** The driver takes longer to format a date or time as text than the engine does. */
function asText(column: Sql): Sql {
  return sql`CAST(${column} AS CHAR)`;
}

/** How values of a type are selected and written. */
export function mysqlRowScalar(type: ColumnType): RowScalar {
  switch (type) {
    case 'integer':
    case 'float':
    case 'json':
      return { select: unchanged, write: String };
    case 'boolean':
      return { select: unchanged, write: (value) => (value === 1 ? 'true' : 'false') };
    case 'decimal':
      return { select: unchanged, write: decimal };
    case 'biginteger':
      return { select: unchanged, write: quoted };
    case 'date':
    case 'time':
      return { select: asText, write: quoted };
    case 'datetime':
      return { select: asText, write: instant };
    case 'text':
      return { select: unchanged, write: JSON.stringify };
  }
}
