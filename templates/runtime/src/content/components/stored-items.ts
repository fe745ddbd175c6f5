/** Reads the JSON columns that store components. */
import type { Row } from '../../database/statement-runner.ts';
import type { Dialect } from '../../database/dialect.ts';
import { join, sql, type Sql } from '../../database/sql.ts';
import type { ItemAttribute } from '../../contract/item-attributes.ts';

/** The select list that reads these attributes from rows `e`. */
export function selectItems(dialect: Dialect, attributes: readonly ItemAttribute[]): Sql {
  const columns = attributes.map(
    ({ column }, index) => sql`${dialect.jsonText(sql`e.${dialect.id(column)}`)} AS ${dialect.id(`items${index}`)}`,
  );
  return join(columns, ', ');
}

/** The selected attributes: column → an item, a list of items, or null. */
export function readItems(row: Row, attributes: readonly ItemAttribute[]): ReadonlyMap<string, unknown> {
  return new Map(
    attributes.map(({ column }, index): [string, unknown] => {
      const text = row[`items${index}`];
      return [column, typeof text === 'string' ? JSON.parse(text) : null];
    }),
  );
}
