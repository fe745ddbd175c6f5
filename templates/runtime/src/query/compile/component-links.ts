/** The link table for relations and media inside a type's components. */
import type { ContentType } from '../../contract/content-type.ts';
import { sql, type Sql } from '../../database/sql.ts';
import type { Compiler } from './compiler.ts';
import type { ItemRows } from './rows.ts';

/** The table, and its column for targets of a type. Throws if the descriptors lack it, which is a defect. */
export function componentLinks(owner: ContentType, target?: string): { table: string; column: string } {
  const links = owner.componentLinks;
  const column = target !== undefined && links && Object.hasOwn(links.targets, target) ? links.targets[target] : '';
  if (!links || column === undefined || (target !== undefined && column === '')) {
    throw new Error(
      `${owner.uid} has no link table for its components${target === undefined ? '' : ` with ${target}`}`,
    );
  }
  return { table: links.table, column };
}

/** The condition for the links of one attribute of one item. */
export function linksOfItem(compiler: Compiler, attribute: string, rows: ItemRows, links: Sql): Sql {
  const { dialect, engine } = compiler;
  const item = rows.id ?? engine.itemValue('biginteger', rows.json, 'id');
  return sql`${links}.owner_id = ${rows.owner.alias}.id AND ${links}.item_id = ${item} AND ${links}.attribute = ${dialect.text(attribute)}`;
}
