/**
 * The links of a polymorphic relation: an entry's are in a link table of the relation, an item's in the component link table of
 * its type.
 */
import { sql, type Sql } from '../../database/sql.ts';
import type { ReadableMorph } from '../readable-attributes.ts';
import { componentLinks, linksOfItem } from './component-links.ts';
import type { Compiler } from './compiler.ts';
import type { Rows } from './rows.ts';

export interface MorphLinks {
  readonly from: Sql;
  readonly on: Sql;
  readonly alias: Sql;
  readonly position: Sql;
  /** The link column for targets of this type. */
  key(uid: string, column: string): Sql;
}

export function morphLinks(compiler: Compiler, relation: ReadableMorph, rows: Rows): MorphLinks {
  const { id } = compiler;
  const alias = compiler.alias();
  if (rows.kind === 'item') {
    const { table } = componentLinks(rows.owner.type);
    return {
      from: sql`${id(table)} AS ${alias}`,
      on: linksOfItem(compiler, relation.name, rows, alias),
      alias,
      position: sql`${alias}.position`,
      key: (uid) => sql`${alias}.${id(componentLinks(rows.owner.type, uid).column)}`,
    };
  }
  const { table, own, position } = relation.storage;
  return {
    from: sql`${id(table)} AS ${alias}`,
    on: sql`${alias}.${id(own)} = ${rows.alias}.id`,
    alias,
    position: sql`${alias}.${id(position)}`,
    key: (_uid, column) => sql`${alias}.${id(column)}`,
  };
}
