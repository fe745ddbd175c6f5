/** Compiles filters to conditions. The SQL depends only on the shape of a filter: every value is a parameter. */
import { isPublished } from '../../contract/states.ts';
import { join, raw, sql, type Sql } from '../../database/sql.ts';
import type { EntrySelection, Filter, ItemFilter, RelatedFilter } from '../read-query.ts';
import { everyCondition } from '../fold-filter.ts';
import { type Compiler, publishedConditions, where } from './compiler.ts';
import { leadsToEntries, relatedRows } from './related-rows.ts';
import { type ComparedValue, comparedValue, componentJson, itemOf } from './row-values.ts';
import { type ItemRows, ownerOf, type Rows, type TableRows } from './rows.ts';
import type { ReadableRelation, ReadableScalar } from '../readable-attributes.ts';
import type { Visible } from './shown-entries.ts';

/** Whether a filter uses nothing but the id of its rows. */
function usesOnlyId(filter: Filter | undefined): boolean {
  return (
    filter === undefined ||
    everyCondition(filter, (condition) =>
      'field' in condition ? condition.field.name === 'id' : condition.kind === 'nothing',
    )
  );
}

/** Whether a filter uses only the filtered rows themselves: no other rows, and no items of lists. */
export function usesOnlyOwnRow(filter: Filter): boolean {
  return everyCondition(filter, (condition) => 'field' in condition || condition.kind === 'nothing');
}

function conditionsOf(compiler: Compiler, filter: Filter | undefined, rows: Rows): readonly Sql[] {
  return filter === undefined ? [] : [compileFilter(compiler, filter, rows)];
}

/** The conditions for rows of a type to be visible: published, if required, and matching the filter that narrows the query. */
export function visibilityConditions(
  compiler: Compiler,
  { live, narrowed }: Pick<EntrySelection, 'live' | 'narrowed'>,
  rows: TableRows,
): readonly Sql[] {
  return [...publishedConditions(live, rows), ...conditionsOf(compiler, narrowed, rows)];
}

/** The visibility of rows, as a function of them. */
export function visible(compiler: Compiler, seen: Pick<EntrySelection, 'live' | 'narrowed'>): Visible {
  return (rows) => visibilityConditions(compiler, seen, rows);
}

/** A foreign key in place of the target's row: no join is needed to compare its id. */
function keyInPlaceOfRow(key: Sql, type: TableRows['type']): TableRows {
  return { kind: 'table', alias: raw(''), type, id: key };
}

/** A filter on the rows of a relation. */
type ByRelation = RelatedFilter & { readonly relation: ReadableRelation };

/** Whether every row of the target is visible. */
function seesAll({ live, narrowed }: RelatedFilter): boolean {
  return !live && narrowed === undefined;
}

/** The foreign key is a column of the owner: an index on it finds the owners. */
function relatedByOwnColumn(compiler: Compiler, related: ByRelation, owner: TableRows, column: string): Sql {
  const { id } = compiler;
  const key = sql`${owner.alias}.${id(column)}`;
  const { filter, relation } = related;
  if (seesAll(related) && usesOnlyId(filter)) {
    const present = sql`${key} IS NOT NULL`;
    const conditions = conditionsOf(compiler, filter, keyInPlaceOfRow(key, relation.target));
    return sql`(${join([present, ...conditions], ' AND ')})`;
  }
  const alias = compiler.alias();
  const target: TableRows = { kind: 'table', alias, type: relation.target };
  const conditions = [...visibilityConditions(compiler, related, target), ...conditionsOf(compiler, filter, target)];
  return sql`(${key} IS NOT NULL AND ${key} IN (SELECT ${alias}.id FROM ${id(relation.target.table)} AS ${alias}${where(conditions)}))`;
}

/** The foreign key is a column of the target: a subquery finds the owners. */
function relatedByTargetColumn(compiler: Compiler, related: ByRelation, owner: TableRows, column: string): Sql {
  const { id } = compiler;
  const { filter, relation } = related;
  const alias = compiler.alias();
  const key = sql`${alias}.${id(column)}`;
  const target: TableRows = { kind: 'table', alias, type: relation.target };
  const seen = visibilityConditions(compiler, related, target);
  const conditions = [sql`${key} IS NOT NULL`, ...seen, ...conditionsOf(compiler, filter, target)];
  return sql`${owner.alias}.id IN (SELECT ${key} FROM ${id(relation.target.table)} AS ${alias}${where(conditions)})`;
}

function relatedByLink(
  compiler: Compiler,
  related: ByRelation,
  owner: TableRows,
  link: { readonly table: string; readonly own: string; readonly other: string },
): Sql {
  const { id } = compiler;
  const { filter, relation } = related;
  const links = compiler.alias();
  const other = sql`${links}.${id(link.other)}`;
  const owners = sql`${owner.alias}.id IN (SELECT ${links}.${id(link.own)} FROM ${id(link.table)} AS ${links}`;
  if (seesAll(related) && usesOnlyId(filter)) {
    return sql`${owners}${where(conditionsOf(compiler, filter, keyInPlaceOfRow(other, relation.target)))})`;
  }
  const alias = compiler.alias();
  const target: TableRows = { kind: 'table', alias, type: relation.target };
  const conditions = [...visibilityConditions(compiler, related, target), ...conditionsOf(compiler, filter, target)];
  return sql`${owners} JOIN ${id(relation.target.table)} AS ${alias} ON ${alias}.id = ${other}${where(conditions)})`;
}

/** A correlated subquery: for relations of component items and between entries, and for the other locales of an entry. */
function relatedByRow(compiler: Compiler, related: RelatedFilter, rows: Rows): Sql {
  const { from, on, target } = relatedRows(compiler, related.relation, rows, { visible: visible(compiler, related) });
  const conditions = [
    on,
    ...visibilityConditions(compiler, related, target),
    ...conditionsOf(compiler, related.filter, target),
  ];
  return compiler.engine.exists(sql`SELECT 1 FROM ${from}${where(conditions)}`);
}

function compileRelated(compiler: Compiler, { relation, ...rest }: RelatedFilter, rows: Rows): Sql {
  if (rows.kind === 'item' || relation.kind === 'localizations' || leadsToEntries(relation, rows.type)) {
    return relatedByRow(compiler, { relation, ...rest }, rows);
  }
  const related = { relation, ...rest };
  const { storage } = relation;
  switch (storage.kind) {
    case 'foreignKey':
      return relatedByOwnColumn(compiler, related, rows, storage.column);
    case 'inverseForeignKey':
      return relatedByTargetColumn(compiler, related, rows, storage.column);
    case 'inverseMorph':
    case 'link':
      return relatedByLink(compiler, related, rows, storage);
  }
}

function compileItem(compiler: Compiler, { component, filter }: ItemFilter, rows: Rows): Sql {
  if (!component.repeatable) {
    const item = itemOf(compiler, rows, component);
    const conditions = conditionsOf(compiler, filter, item);
    return sql`(${join([sql`${item.json} IS NOT NULL`, ...conditions], ' AND ')})`;
  }
  const json = componentJson(compiler, rows, component);
  const alias = compiler.alias();
  const items: ItemRows = { kind: 'item', json: sql`${alias}.value`, owner: ownerOf(rows) };
  const list = compiler.engine.itemRows(json, alias);
  return compiler.engine.exists(sql`SELECT 1 FROM ${list}${where(conditionsOf(compiler, filter, items))}`);
}

function compileList(compiler: Compiler, filters: readonly Filter[], rows: Rows, operator: 'and' | 'or'): Sql {
  if (filters.length === 0) {
    return raw(operator === 'and' ? '1 = 1' : '1 = 0');
  }
  const conditions = filters.map((filter) => compileFilter(compiler, filter, rows));
  return sql`(${join(conditions, operator === 'and' ? ' AND ' : ' OR ')})`;
}

/** The value to compare, in the collation that lists are sorted by if the value is indexed only in that collation. */
function foundValue(compiler: Compiler, rows: Rows, field: ReadableScalar): ComparedValue {
  const compared = comparedValue(compiler, rows, field);
  const { type, value, isSorted } = compared;
  const isInOrder = rows.kind === 'item' ? isSorted : field.sorted !== undefined && !field.indexed;
  return isInOrder && type === 'text' ? { ...compared, value: compiler.engine.sortable(type, value) } : compared;
}

/**
 * A negation. Rows of other tables are looked up for each entry: engines turn `NOT EXISTS` into an anti-join, while `NOT IN` of more
 * rows than fit into PostgreSQL's `work_mem` compares each entry with each row.
 */
function compileNot(compiler: Compiler, filter: Filter, rows: Rows): Sql {
  const isElsewhere =
    filter.kind === 'related' &&
    (filter.relation.kind === 'localizations' || filter.relation.storage.kind !== 'foreignKey');
  return sql`NOT (${isElsewhere ? relatedByRow(compiler, filter, rows) : compileFilter(compiler, filter, rows)})`;
}

/** Whether the draft and what is published differ: each write of one of them alone sets the time of the other apart. */
function compileModified(compiler: Compiler, { alias, type }: TableRows): Sql {
  const other = isPublished(type) ? type.entries : type.published?.table;
  if (other === undefined) return raw('1 = 0');
  const row = compiler.alias();
  const differs = sql`${row}.id = ${alias}.id AND ${row}.updated_at <> ${alias}.updated_at`;
  return compiler.engine.exists(sql`SELECT 1 FROM ${compiler.id(other)} AS ${row} WHERE ${differs}`);
}

/** Compiles a filter to a condition. As usual in SQL, comparisons with null are neither true nor false. */
export function compileFilter(compiler: Compiler, filter: Filter, rows: Rows): Sql {
  const { engine } = compiler;
  switch (filter.kind) {
    case 'and':
    case 'or':
      return compileList(compiler, filter.filters, rows, filter.kind);
    case 'not':
      return compileNot(compiler, filter.filter, rows);
    case 'unmet':
      return sql`(${compileFilter(compiler, filter.filter, rows)}) IS NOT TRUE`;
    case 'nothing':
      return raw('1 = 0');
    case 'modified':
      return compileModified(compiler, ownerOf(rows));
    case 'compare': {
      const { type, value } = foundValue(compiler, rows, filter.field);
      return engine.compare(type, value, filter.comparison, filter.value);
    }
    case 'in': {
      const { type, value } = foundValue(compiler, rows, filter.field);
      return engine.oneOf(type, value, filter.values);
    }
    case 'null':
      return sql`${comparedValue(compiler, rows, filter.field).value} IS NULL`;
    case 'text': {
      const { match, fold, value: operand } = filter;
      const { type, value } = comparedValue(compiler, rows, filter.field);
      return engine.matches(type, value, match, fold, operand);
    }
    case 'words': {
      const { alias, type } = ownerOf(rows);
      return engine.hasWords({ alias, table: compiler.id(type.table) }, compiler.id(filter.index), filter.words);
    }
    case 'related':
      return compileRelated(compiler, filter, rows);
    case 'item':
      return compileItem(compiler, filter, rows);
  }
}
