/** The types of columns on PostgreSQL. */
import type { ColumnType } from '../../storage/storage-model.ts';

/**
 * `json`, not `jsonb`: it preserves a value as it was sent, including the order of its members and all digits of its numbers, as
 * on the other engines. Components are read as a whole, so faster access to single members would gain little.
 */
export const POSTGRES_TYPES: Readonly<Record<ColumnType, string>> = {
  id: 'bigint',
  string: 'varchar(255)',
  text: 'text',
  integer: 'integer',
  biginteger: 'bigint',
  float: 'double precision',
  decimal: 'numeric',
  boolean: 'boolean',
  date: 'date',
  time: 'time(3)',
  datetime: 'timestamptz(3)',
  json: 'json',
  position: 'bigint',
};
