/** Copies the relations and media inside shared components: rows of the link table for the items that all locales share. */
import { COLUMN_NAMES as NAMES } from '../../contract/column-names.ts';
import { byColumn, isItemAttribute, itemsInside } from '../../contract/item-attributes.ts';
import { linkTableOf } from '../components/link-table.ts';
import { deleteRows, join, sql } from '../../database/sql.ts';
import { statement, type Statement } from '../../database/write-plan.ts';
import { columnOf, idRows } from '../relations/list-table.ts';
import type { Copy, LocalizedRows } from './shared-attributes.ts';

/** The ids of the items in the copied attributes: in the source row, and in the target rows. */
export interface SharedItems {
  readonly from: ReadonlySet<number>;
  readonly to: ReadonlySet<number>;
}

/** Reads the items before the copy; undefined if the attributes can't contain links. */
export async function readSharedItems(
  { tx, types, type }: LocalizedRows,
  { from, to, attributes }: Copy,
): Promise<SharedItems | undefined> {
  const { dialect } = tx;
  const components = attributes.flatMap(([, attribute]) => (isItemAttribute(attribute) ? [attribute] : []));
  if (!type.componentLinks || components.length === 0) return undefined;
  const columns = components.map(
    ({ column }, index) => sql`${dialect.jsonText(sql`t.${dialect.id(column)}`)} AS ${dialect.id(`value${index}`)}`,
  );
  const rows = await tx.all(
    sql`SELECT t.id, ${join(columns, ', ')} FROM ${dialect.id(type.table)} AS t WHERE t.id IN (SELECT i.id FROM ${idRows(dialect, [from, ...to])} AS i)`,
  );
  const items = { from: new Set<number>(), to: new Set<number>() };
  for (const row of rows) {
    const ids = Number(row['id']) === from ? items.from : items.to;
    for (const [index, attribute] of components.entries()) {
      const text = row[`value${index}`];
      const value: unknown = typeof text === 'string' ? JSON.parse(text) : null;
      for (const { item } of itemsInside(types, attribute, value, byColumn)) ids.add(Number(item['id']));
    }
  }
  return items;
}

/** Replaces the links of the items in the target rows by those in the source row. */
export function copyComponentLinks(
  { tx: { dialect }, type }: LocalizedRows,
  { from, to }: Copy,
  items: SharedItems,
): readonly Statement[] {
  const { table, targets } = linkTableOf(type);
  const links = dialect.id(table);
  const all = [...new Set([...items.from, ...items.to])];
  const replaced = sql`${dialect.isOneOf(sql`owner_id`, to)} AND ${dialect.isOneOf(sql`item_id`, all)}`;
  const names = [NAMES.item, NAMES.itemAttribute, NAMES.position, ...targets.map(({ column }) => column)];
  const copied = join(
    names.map((name) => columnOf(dialect, 'm', name)),
    ', ',
  );
  const columns = join(
    names.map((name) => dialect.id(name)),
    ', ',
  );
  const kept = sql`m.owner_id = ${from} AND m.item_id IN (SELECT i.id FROM ${idRows(dialect, items.from)} AS i)`;
  const copies = sql`INSERT INTO ${links} (owner_id, ${columns}) SELECT o.id, ${copied} FROM ${links} AS m CROSS JOIN ${idRows(dialect, to)} AS o WHERE ${kept} ORDER BY m.id`;
  return [statement(deleteRows(links, replaced)), statement(copies)];
}
