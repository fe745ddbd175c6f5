/** What the columns of scalar attributes hold, whatever the engine: all that code which writes SQL has to tell apart. */

/** Named as migrations name them. `datetime` is an instant. */
export type ColumnType =
  'text' | 'integer' | 'biginteger' | 'float' | 'decimal' | 'boolean' | 'date' | 'time' | 'datetime' | 'json';
