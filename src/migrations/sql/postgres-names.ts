/** Names that PostgreSQL generates for the objects of a table. They don't change when the table is renamed. */

const MAX_NAME = 63;

/**
 * The name that PostgreSQL generates for a primary key or the sequence of a column: the longer of table and column name is truncated
 * until the whole fits. Names are ASCII.
 */
export function postgresObjectName(table: string, column: string | undefined, label: 'pkey' | 'seq'): string {
  const rest = label.length + 1 + (column === undefined ? 0 : 1);
  let [first, second] = [table.length, column?.length ?? 0];
  while (first + second + rest > MAX_NAME) {
    if (first > second) first -= 1;
    else second -= 1;
  }
  return [table.slice(0, first), ...(column === undefined ? [] : [column.slice(0, second)]), label].join('_');
}
