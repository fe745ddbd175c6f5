/** Writes the relations and media inside the components of one entry. */
import type { Executor } from '../../database/database.ts';
import { join, raw, sql } from '../../database/sql.ts';
import { columnOf } from '../relations/list-table.ts';
import type { LinkTable, LinkWrites, NewLink } from './link-table.ts';

async function removeLinks(
  tx: Executor,
  { table }: LinkTable,
  owner: number,
  items: readonly number[],
  ids: readonly number[],
): Promise<void> {
  const { dialect } = tx;
  const from = dialect.id(table);
  if (items.length > 0) {
    await tx.run(sql`DELETE FROM ${from} WHERE owner_id = ${owner} AND ${dialect.isOneOf(sql`item_id`, items)}`);
  }
  if (ids.length > 0) await tx.run(sql`DELETE FROM ${from} WHERE ${dialect.isOneOf(sql`id`, ids)}`);
}

async function insertLinks(
  tx: Executor,
  { table, targets }: LinkTable,
  owner: number,
  links: readonly NewLink[],
): Promise<void> {
  const { dialect } = tx;
  const used = targets.filter(({ type }) => links.some((link) => link.type === type));
  // The owner comes with the rows, since a parameter in a list of selected values has no type on every engine.
  const rows = links.map(({ item, attribute, position, type, id }) => {
    const ids = used.map((target, index) => [`target${index}`, target.type === type ? id : null]);
    return { owner, item: item.id, attribute, position, ...(Object.fromEntries(ids) as Record<string, number | null>) };
  });
  const names = ['owner', 'item', 'attribute', 'position', ...used.map((_, index) => `target${index}`)];
  const typed = Object.fromEntries(
    names.map((name) => [name, name === 'attribute' ? ('text' as const) : ('integer' as const)]),
  );
  const columns = ['owner_id', 'item_id', 'attribute', 'position', ...used.map(({ column }) => column)];
  const into = columns.map((column) => dialect.id(column));
  const values = names.map((name) => columnOf(dialect, 'r', name));
  await tx.run(
    sql`INSERT INTO ${dialect.id(table)} (${join(into, ', ')}) SELECT ${join(values, ', ')} FROM ${dialect.jsonRows(JSON.stringify(rows), typed)} AS r`,
  );
}

/** Writes the links of items that all have their ids, and removes those of the items `removed`: at most four statements. */
export async function writeItemLists(
  tx: Executor,
  links: LinkTable,
  owner: number,
  { removed, writes }: { readonly removed: readonly number[]; readonly writes: LinkWrites },
): Promise<void> {
  const { dialect } = tx;
  await removeLinks(tx, links, owner, removed, writes.remove);
  if (writes.move.length > 0) {
    const rows = dialect.jsonRows(JSON.stringify(writes.move), { id: 'integer', position: 'integer' });
    await tx.run(dialect.updateFrom(links.table, rows, { position: raw('r.position') }, raw('t.id = r.id')));
  }
  if (writes.insert.length > 0) await insertLinks(tx, links, owner, writes.insert);
}
