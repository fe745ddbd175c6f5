/** Compiles populated attributes of entries and items. */
import { raw, type Sql, sql } from '../../database/sql.ts';
import type { Population } from '../read-query.ts';
import { compileComponent, compileZone } from './compile-component.ts';
import { type Compiler, publishedConditions, where } from './compiler.ts';
import { entryJson, treeJson } from './compile-entry.ts';
import { compileFilter, visible } from './compile-filter.ts';
import { compileMorph } from './compile-morph.ts';
import { ascending, idKey, orderInAggregate, type OrderKey, orderKeys } from './compile-sort.ts';
import { deferredMarker, jsonOrOverflow } from './markers.ts';
import { type Reading, relatedRows, type RelatedRows } from './related-rows.ts';
import { idOf, type Rows, type TableRows } from './rows.ts';
import { boundedWindow, isWindowed, partOf, shownCount, windowed } from './window.ts';

type RelationPopulation = Population & { kind: 'relation' };
type CountPopulation = Population & { kind: 'count' };

function conditionsOf(
  compiler: Compiler,
  { live, filter }: Pick<CountPopulation, 'live' | 'filter'>,
  related: RelatedRows,
): readonly Sql[] {
  return [
    related.on,
    ...publishedConditions(live, related.target),
    ...(filter === undefined ? [] : [compileFilter(compiler, filter, related.target)]),
  ];
}

function relationConditions(compiler: Compiler, { entry, window }: RelationPopulation, related: RelatedRows) {
  return conditionsOf(compiler, { live: entry.live, filter: window.filter }, related);
}

/** Of entries whose ids alone are shown, unless it has to be found out which are. */
function readingOf(compiler: Compiler, { entry, window }: RelationPopulation): Reading {
  const asksRows = entry.live || entry.narrowed !== undefined || window.filter !== undefined || window.sort.length > 0;
  return { visible: visible(compiler, entry), onlyIds: entry.shape.onlyIds === true && !asksRows };
}

/**
 * If several entries refer to this one through a to-one polymorphic relation, picks the one with the smallest id, to be
 * deterministic.
 */
function firstOf(compiler: Compiler, population: RelationPopulation, related: RelatedRows): Sql {
  const { type } = related.target;
  const alias = compiler.alias();
  const first = sql`SELECT MIN(${idOf(related.target)}) FROM ${related.from}${where(relationConditions(compiler, population, related))}`;
  const entry = entryJson(compiler, population.entry, { kind: 'table', alias, type });
  return compiler.dialect.jsonFirst(entry, sql`${compiler.id(type.table)} AS ${alias} WHERE ${alias}.id = (${first})`);
}

function toOne(compiler: Compiler, population: RelationPopulation, related: RelatedRows): Sql {
  const { relation } = population;
  if (relation.kind === 'relation' && relation.storage.kind === 'inverseMorph') {
    return firstOf(compiler, population, related);
  }
  const entry = entryJson(compiler, population.entry, related.target);
  const conditions = relationConditions(compiler, population, related);
  return compiler.dialect.jsonFirst(entry, sql`${related.from}${where(conditions)}`);
}

/** What is shown of the entries of a list. `needsRows`: more than their column `id`. */
interface Shown {
  readonly needsRows: boolean;
  json(rows: TableRows): Sql;
}

function keysOf(compiler: Compiler, { window }: RelationPopulation, related: RelatedRows): readonly OrderKey[] {
  const last = window.sort.length === 0 ? ascending(related.order) : [idKey(related.target)];
  return orderKeys(compiler, window.sort, related.target, last);
}

/** The list of a relation, as a JSON array of `shown`. */
export function relationList(compiler: Compiler, population: RelationPopulation, rows: Rows, shown: Shown): Sql {
  const { dialect } = compiler;
  const related = relatedRows(compiler, population.relation, rows, readingOf(compiler, population));
  const conditions = relationConditions(compiler, population, related);
  const keys = keysOf(compiler, population, related);
  const { window, most } = boundedWindow(compiler, population.window);
  const guarded = (list: Sql): Sql =>
    most === undefined ? list : jsonOrOverflow(compiler, shownCount(compiler, window), most, list);
  if (!isWindowed(window) || dialect.limitInAggregate) {
    const order = orderInAggregate(compiler, keys);
    const list = dialect.jsonArrayAggregate(shown.json(related.target), order, partOf(compiler, window));
    return dialect.neverNull(sql`SELECT ${guarded(list)} FROM ${related.from}${where(conditions)}`);
  }
  const { type } = related.target;
  const whole = shown.needsRows && dialect.selectsWholeRows ? related.target.alias : undefined;
  const columns: Record<string, Sql> = whole ? {} : { id: idOf(related.target) };
  const chosen = { ...window, from: related.from, conditions, keys, columns };
  const part = windowed(compiler, whole ? { ...chosen, whole } : chosen);
  const order = dialect.orderedJoin ? undefined : orderInAggregate(compiler, part.keys);
  if (!shown.needsRows || whole) {
    const list = dialect.jsonArrayAggregate(shown.json({ kind: 'table', alias: part.alias, type }), order);
    return dialect.neverNull(sql`SELECT ${guarded(list)} FROM ${part.from}`);
  }
  const alias = compiler.alias();
  const list = dialect.jsonArrayAggregate(shown.json({ kind: 'table', alias, type }), order);
  const join = dialect.orderedJoin ?? raw('JOIN');
  const joined = sql`${join} ${dialect.id(type.table)} AS ${alias} ON ${alias}.id = ${part.alias}.id`;
  return dialect.neverNull(sql`SELECT ${guarded(list)} FROM ${part.from} ${joined}`);
}

function relationData(compiler: Compiler, population: RelationPopulation, rows: Rows): Sql {
  const { relation, entry } = population;
  const many = relation.kind === 'localizations' || relation.many;
  if (!many) return toOne(compiler, population, relatedRows(compiler, relation, rows, readingOf(compiler, population)));
  if (compiler.bounds?.kind === 'deferred') return deferredMarker(compiler, compiler.bounds.lists, population, rows);
  return relationList(compiler, population, rows, {
    needsRows: !entry.shape.onlyIds,
    json: (shown) => entryJson(compiler, entry, shown),
  });
}

function compileCountOf(compiler: Compiler, population: CountPopulation, rows: Rows): Sql {
  const { dialect } = compiler;
  const related = relatedRows(compiler, population.relation, rows, { visible: visible(compiler, population) });
  const conditions = conditionsOf(compiler, population, related);
  const count = dialect.jsonScalar(
    'integer',
    dialect.neverNull(sql`SELECT COUNT(*) FROM ${related.from}${where(conditions)}`),
  );
  return treeJson(compiler, population.shape.count(count));
}

/** The name and the JSON value of a populated attribute. */
export function compilePopulation(compiler: Compiler, population: Population, rows: Rows): readonly [string, Sql] {
  switch (population.kind) {
    case 'relation':
      return [
        population.relation.name,
        treeJson(compiler, population.entry.shape.related(relationData(compiler, population, rows))),
      ];
    case 'count':
      return [population.relation.name, compileCountOf(compiler, population, rows)];
    case 'morph':
      return [population.relation.name, compileMorph(compiler, population, rows)];
    case 'component':
      return [population.component.name, compileComponent(compiler, population, rows)];
    case 'zone':
      return [population.zone.name, compileZone(compiler, population, rows)];
  }
}
