/** What is populated, as a member of the attributes of an entry or item. */
import { sql } from '../../database/sql.ts';
import type { Sql } from '../../database/sql.ts';
import type { Population } from '../read-query.ts';
import { compileComponent, compileZone } from './compile-component.ts';
import type { Compiler } from './compiler.ts';
import { published, where } from './compiler.ts';
import { entryJson } from './compile-entry.ts';
import { compileFilter } from './compile-filter.ts';
import { compileMorph } from './compile-morph.ts';
import { ascending, idKey, orderInAggregate, orderKeys } from './compile-sort.ts';
import { relatedRows } from './related-rows.ts';
import type { RelatedRows } from './related-rows.ts';
import type { Rows, TableRows } from './rows.ts';
import { isWindowed, partOf, windowed } from './window.ts';

type RelationPopulation = Population & { kind: 'relation' };

function conditionsOf(compiler: Compiler, population: RelationPopulation, related: RelatedRows): readonly Sql[] {
  const { filter } = population.window;
  return [
    related.on,
    ...published(population.entry.live, related.target.alias),
    ...(filter === undefined ? [] : [compileFilter(compiler, filter, related.target)]),
  ];
}

function toOne(compiler: Compiler, population: RelationPopulation, related: RelatedRows): Sql {
  const entry = entryJson(compiler, population.entry, related.target);
  const conditions = conditionsOf(compiler, population, related);
  return compiler.dialect.jsonFirst(entry, sql`${related.from}${where(conditions)}`);
}

function toMany(compiler: Compiler, population: RelationPopulation, related: RelatedRows): Sql {
  const { dialect } = compiler;
  const { window, entry } = population;
  const conditions = conditionsOf(compiler, population, related);
  const last = window.sort.length === 0 ? ascending(related.order) : [idKey(related.target)];
  const keys = orderKeys(compiler, window.sort, related.target, last);
  if (!isWindowed(window) || dialect.cutsInAggregates) {
    const shown = entryJson(compiler, entry, related.target);
    const list = dialect.jsonArrayAggregate(shown, orderInAggregate(compiler, keys), partOf(compiler, window));
    return dialect.neverNull(sql`SELECT ${list} FROM ${related.from}${where(conditions)}`);
  }
  const columns = { id: sql`${related.target.alias}.id` };
  const part = windowed(compiler, { ...window, from: related.from, conditions, keys, columns });
  const alias = compiler.alias();
  const shown: TableRows = { kind: 'table', alias, type: related.target.type };
  const list = dialect.jsonArrayAggregate(entryJson(compiler, entry, shown), orderInAggregate(compiler, part.keys));
  const joined = sql`${dialect.id(entry.type.table)} AS ${alias} ON ${alias}.id = ${part.alias}.id`;
  return dialect.neverNull(sql`SELECT ${list} FROM ${part.from} JOIN ${joined}`);
}

function compileRelation(compiler: Compiler, population: RelationPopulation, rows: Rows): Sql {
  const { relation } = population;
  const related = relatedRows(compiler, relation, rows);
  const many = relation.kind === 'localizations' || relation.many;
  const data = many ? toMany(compiler, population, related) : toOne(compiler, population, related);
  return compiler.dialect.jsonObject([['data', data]]);
}

/** The name and the JSON value of what is populated. */
export function compilePopulation(compiler: Compiler, population: Population, rows: Rows): readonly [string, Sql] {
  switch (population.kind) {
    case 'relation':
      return [population.relation.name, compileRelation(compiler, population, rows)];
    case 'morph':
      return [population.relation.name, compileMorph(compiler, population, rows)];
    case 'component':
      return [population.component.name, compileComponent(compiler, population, rows)];
    case 'zone':
      return [population.zone.name, compileZone(compiler, population, rows)];
  }
}
