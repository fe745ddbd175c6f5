/** Types of columns of scalar attributes, independent of the engine. */

/** The names are those in migrations. `datetime` is an instant. */
export type ColumnType =
  'text' | 'integer' | 'biginteger' | 'float' | 'decimal' | 'boolean' | 'date' | 'time' | 'datetime' | 'json';
