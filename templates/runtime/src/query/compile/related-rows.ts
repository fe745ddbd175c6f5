/** How to get from an entry to the rows of its relations, for each kind of storage. */
import { join, sql, type Sql } from '../../database/sql.ts';
import {
  type ContentType,
  type ForeignKeyStorage,
  type InverseForeignKeyStorage,
  isInverseStorage,
  type LinkStorage,
} from '../../contract/content-type.ts';
import { entriesTable } from '../../contract/states.ts';
import type { ReadableLocalizations, ReadableRelation } from '../readable-attributes.ts';
import { componentLinks, linksOfItem } from './component-links.ts';
import type { Compiler } from './compiler.ts';
import { type ItemRows, ownerOf, type Rows, type TableRows } from './rows.ts';
import { shownRows, type Visible } from './shown-entries.ts';

/** What is read of the targets. */
export interface Reading {
  readonly visible: Visible;
  /** Whether only their ids are: links have them, too. */
  readonly onlyIds?: boolean;
}

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
  { on, onlyIds }: { readonly on: (alias: Sql) => Sql; readonly onlyIds: boolean },
): RelatedRows {
  const { id } = compiler;
  const links = compiler.alias();
  const other = sql`${links}.${id(link.other)}`;
  const order = [...(link.position === undefined ? [] : [sql`${links}.${id(link.position)}`]), other];
  const from = sql`${id(link.table)} AS ${links}`;
  // Foreign keys guarantee that the row of the target exists.
  if (onlyIds) return { from, on: on(links), target: { kind: 'table', alias: links, type, id: other }, order };
  const alias = compiler.alias();
  return {
    from: sql`${from} JOIN ${id(type.table)} AS ${alias} ON ${alias}.id = ${other}`,
    on: on(links),
    target: { kind: 'table', alias, type },
    order,
  };
}

/** Relations inside components are rows of one link table of the entry's type. */
function throughItem(compiler: Compiler, relation: ReadableRelation, rows: ItemRows, onlyIds: boolean): RelatedRows {
  const { table, column } = componentLinks(rows.owner.type, relation.target.uid);
  const link = { table, other: column, position: 'position' };
  const on = (links: Sql): Sql => linksOfItem(compiler, relation.name, rows, links);
  return throughLink(compiler, relation.target, link, { on, onlyIds });
}

/** Whether a relation is between entries of which one can have several rows, so that its links don't lead to the rows to show. */
export function leadsToEntries(relation: ReadableRelation, owner: ContentType): boolean {
  if (!relation.shown) return false;
  return relation.target.localized || (owner.localized && isInverseStorage(relation.storage));
}

/** The rows to which the links of all rows of the owner's entry refer. Those of the other side refer to the first one. */
function throughEntry(compiler: Compiler, relation: ReadableRelation, owner: TableRows): RelatedRows {
  const row: TableRows = { ...owner, alias: compiler.alias() };
  const { from, on, target, order } = linkedRows(compiler, relation, row);
  return {
    from: sql`${compiler.id(entriesTable(owner.type))} AS ${row.alias}, ${from}`,
    on: sql`${row.alias}.document_id = ${owner.alias}.document_id AND ${on}`,
    target,
    order,
  };
}

/** The related entries, each by the row that is shown of it. */
function relatedEntries(compiler: Compiler, relation: ReadableRelation, rows: Rows, visible: Visible): RelatedRows {
  const owner = ownerOf(rows);
  const owns = rows.kind === 'table' && isInverseStorage(relation.storage);
  const { target: type } = relation;
  const leads = relation.shown !== undefined && type.localized;
  // The first row of an entry may be one that is not published.
  const way = leads && !owns ? { ...relation, target: { ...type, table: entriesTable(type) } } : relation;
  const linked = owns && owner.type.localized ? throughEntry(compiler, way, owner) : linkedRows(compiler, way, rows);
  if (!relation.shown || !leads) return linked;
  const seen = { owner, shown: relation.shown, visible };
  const { join: joined, on, target } = shownRows(compiler, seen, linked.target, { type, owns });
  return {
    from: sql`${linked.from}${joined}`,
    on: join([linked.on, ...on], ' AND '),
    target,
    order: linked.order,
  };
}

/** The related rows of an entry or item. `visible`: the conditions for rows of the target to be visible. */
export function relatedRows(
  compiler: Compiler,
  relation: ReadableRelation | ReadableLocalizations,
  rows: Rows,
  { visible, onlyIds = false }: Reading,
): RelatedRows {
  if (relation.kind === 'localizations') return localizationRows(compiler, ownerOf(rows));
  return leadsToEntries(relation, ownerOf(rows).type)
    ? relatedEntries(compiler, relation, rows, visible)
    : linkedRows(compiler, relation, rows, onlyIds);
}

/** The rows to which the links of an entry or item refer. */
function linkedRows(compiler: Compiler, relation: ReadableRelation, rows: Rows, onlyIds = false): RelatedRows {
  if (rows.kind === 'item') {
    return throughItem(compiler, relation, rows, onlyIds);
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
      return throughLink(compiler, target, storage, {
        on: (links) => sql`${links}.${own} = ${rows.alias}.id`,
        onlyIds,
      });
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
