/** Names that PostgreSQL gives to what belongs to a table. They don't change when the table is renamed. */

const MAX_NAME = 63;

/**
 * The name of a primary key or of the sequence of a column, as PostgreSQL makes it: the longer of table and column is cut
 * until all fits. Names are ASCII.
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
