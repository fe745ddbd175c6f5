/** Statements that write the relations and media inside the components of one entry. */
import { COLUMN_NAMES as NAMES } from '../../contract/column-names.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { NewId } from '../../database/new-id.ts';
import { deleteRows, join, raw, sql } from '../../database/sql.ts';
import { statement, type Statement } from '../../database/write-plan.ts';
import { columnOf } from '../relations/list-table.ts';
import type { LinkTable, LinkWrites, NewLink } from './link-table.ts';

/** A link table, and the entry whose rows are written. */
interface OwnedLinks {
  readonly dialect: Dialect;
  readonly links: LinkTable;
  readonly owner: number | NewId;
}

function removeLinks(
  { dialect, links: { table }, owner }: OwnedLinks,
  items: readonly number[],
  ids: readonly number[],
): Statement[] {
  const from = dialect.id(table);
  const ofItems = sql`owner_id = ${owner} AND ${dialect.isOneOf(sql`item_id`, items)}`;
  return [
    ...(items.length > 0 ? [statement(deleteRows(from, ofItems))] : []),
    ...(ids.length > 0 ? [statement(deleteRows(from, dialect.isOneOf(sql`id`, ids)))] : []),
  ];
}

function insertLinks({ dialect, links: { table, targets }, owner }: OwnedLinks, given: readonly NewLink[]): Statement {
  const used = targets.filter(({ type }) => given.some((link) => link.type === type));
  const rows = given.map(({ item, attribute, position, type, id }) => {
    const ids = used.map((target, index) => [`target${index}`, target.type === type ? id : null]);
    return { item: item.id, attribute, position, ...(Object.fromEntries(ids) as Record<string, number | null>) };
  });
  const names = ['item', 'attribute', 'position', ...used.map((_, index) => `target${index}`)];
  const typed = Object.fromEntries(
    names.map((name) => [name, name === 'attribute' ? ('text' as const) : ('integer' as const)]),
  );
  const columns = [NAMES.owner, NAMES.item, NAMES.itemAttribute, NAMES.position, ...used.map(({ column }) => column)];
  const into = columns.map((column) => dialect.id(column));
  const values = [sql`${owner}`, ...names.map((name) => columnOf(dialect, 'r', name))];
  return statement(
    sql`INSERT INTO ${dialect.id(table)} (${join(into, ', ')}) SELECT ${join(values, ', ')} FROM ${dialect.jsonRows(JSON.stringify(rows), typed)} AS r`,
  );
}

/** Writes links, and deletes those of the items `removed`. All items must have their ids. At most four statements. */
export function writeItemLists(
  owned: OwnedLinks,
  { removed, writes }: { readonly removed: readonly number[]; readonly writes: LinkWrites },
): readonly Statement[] {
  const { dialect, links } = owned;
  const statements = removeLinks(owned, removed, writes.remove);
  if (writes.move.length > 0) {
    const rows = dialect.jsonRows(JSON.stringify(writes.move), { id: 'integer', position: 'integer' });
    statements.push(
      statement(dialect.updateFrom(links.table, rows, { position: raw('r.position') }, raw('t.id = r.id'))),
    );
  }
  if (writes.insert.length > 0) statements.push(insertLinks(owned, writes.insert));
  return statements;
}
