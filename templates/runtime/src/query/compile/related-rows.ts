/** How to get from an entry to the rows of its relations, for each kind of storage. */
import { sql, type Sql } from '../../database/sql.ts';
import type {
  ContentType,
  ForeignKeyStorage,
  InverseForeignKeyStorage,
  LinkStorage,
} from '../../contract/content-type.ts';
import type { ReadableLocalizations, ReadableRelation } from '../readable-attributes.ts';
import { componentLinks, linksOfItem } from './component-links.ts';
import type { Compiler } from './compiler.ts';
import { type ItemRows, ownerOf, type Rows, type TableRows } from './rows.ts';

export interface RelatedRows {
  /** The tables of `FROM`, with their joins. */
  readonly from: Sql;
  /** The condition that selects the rows of one owner. */
  readonly on: Sql;
  /** The target's rows. */
  readonly target: TableRows;
  /** The stored order. */
  readonly order: readonly Sql[];
}

/** The target of a foreign key in the owner's row. */
function throughOwnColumn(compiler: Compiler, type: ContentType, storage: ForeignKeyStorage, owner: Sql): RelatedRows {
  const alias = compiler.alias();
  return {
    from: sql`${compiler.id(type.table)} AS ${alias}`,
    on: sql`${alias}.id = ${owner}.${compiler.id(storage.column)}`,
    target: { kind: 'table', alias, type },
    order: [sql`${alias}.id`],
  };
}

/** The targets that have a foreign key to the owner. */
function throughTargetColumn(
  compiler: Compiler,
  type: ContentType,
  storage: InverseForeignKeyStorage,
  owner: Sql,
): RelatedRows {
  const { id } = compiler;
  const alias = compiler.alias();
  const position = storage.position === undefined ? [] : [sql`${alias}.${id(storage.position)}`];
  return {
    from: sql`${id(type.table)} AS ${alias}`,
    on: sql`${alias}.${id(storage.column)} = ${owner}.id`,
    target: { kind: 'table', alias, type },
    order: [...position, sql`${alias}.id`],
  };
}

function throughLink(
  compiler: Compiler,
  type: ContentType,
  link: Pick<LinkStorage, 'table' | 'other'> & { readonly position?: string },
  on: (alias: Sql) => Sql,
): RelatedRows {
  const { id } = compiler;
  const [links, alias] = [compiler.alias(), compiler.alias()];
  const other = sql`${links}.${id(link.other)}`;
  return {
    from: sql`${id(link.table)} AS ${links} JOIN ${id(type.table)} AS ${alias} ON ${alias}.id = ${other}`,
    on: on(links),
    target: { kind: 'table', alias, type },
    order: [...(link.position === undefined ? [] : [sql`${links}.${id(link.position)}`]), other],
  };
}

/** Relations inside components are rows of one link table of the entry's type. */
function throughItem(compiler: Compiler, relation: ReadableRelation, rows: ItemRows): RelatedRows {
  const { table, column } = componentLinks(rows.owner.type, relation.target.uid);
  const link = { table, other: column, position: 'position' };
  return throughLink(compiler, relation.target, link, (links) => linksOfItem(compiler, relation.name, rows, links));
}

/** The related rows of an entry or item. */
export function relatedRows(
  compiler: Compiler,
  relation: ReadableRelation | ReadableLocalizations,
  rows: Rows,
): RelatedRows {
  if (relation.kind === 'localizations') {
    return localizationRows(compiler, ownerOf(rows));
  }
  if (rows.kind === 'item') {
    return throughItem(compiler, relation, rows);
  }
  const { storage, target } = relation;
  switch (storage.kind) {
    case 'foreignKey':
      return throughOwnColumn(compiler, target, storage, rows.alias);
    case 'inverseForeignKey':
      return throughTargetColumn(compiler, target, storage, rows.alias);
    case 'inverseMorph':
    case 'link': {
      const own = compiler.id(storage.own);
      return throughLink(compiler, target, storage, (links) => sql`${links}.${own} = ${rows.alias}.id`);
    }
  }
}

/** The rows of an entry in other locales. */
export function localizationRows(compiler: Compiler, owner: TableRows): RelatedRows {
  const alias = compiler.alias();
  return {
    from: sql`${compiler.id(owner.type.table)} AS ${alias}`,
    on: sql`${alias}.document_id = ${owner.alias}.document_id AND ${alias}.id <> ${owner.alias}.id`,
    target: { kind: 'table', alias, type: owner.type },
    order: [sql`${alias}.id`],
  };
}
