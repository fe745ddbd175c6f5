/**
 * Estimates which tables a query may have to scan, and the cost per row, from the shape of the query alone. Index lookups are not
 * counted. The weights are rough: microseconds as measured with SQLite.
 */
import type { Scan } from '../database/statement-runner.ts';
import { attributeType } from '../contract/attribute-types/scalar-type.ts';
import { MAX_COST_ON_THREAD } from '../contract/limits.ts';
import { allOf } from './filter-tree.ts';
import { type FilterCondition, foldFilter } from './fold-filter.ts';
import { rowsOf } from './pagination.ts';
import type { ReadableRelation } from './readable-attributes.ts';
import type {
  EntrySelection,
  Filter,
  ListQuery,
  Population,
  Question,
  ReadQuery,
  RelatedFilter,
  SortKey,
} from './read-query.ts';

const COMPARISON = 0.1;
const COUNTED = 0.05;
const SKIPPED = 0.2;
/** Returning a row as JSON. */
const RETURNED = 8;
/** Sorting a row by one of its own values. */
const SORTED = 0.6;
/** Examining a row of a link table, or of a target's table by its foreign key. */
const LINK = 0.3;
/** Reading a component: its JSON is parsed. */
const ITEM = 3;
/** A sort key through relations: a subquery for each row, multiplied for each list on the path. */
const HOP = 2;
const LIST_HOP = 5;
/** Reading a row of a list by an index. Together with its link, it is cheap. */
const LISTED = 0.45;

/**
 * In the worst case, searching for a part of a text takes time proportional to the product of both lengths: for a single text of a
 * megabyte, seconds. This weight keeps such searches off the server's thread, however few the rows.
 */
const WITHIN_LONG = MAX_COST_ON_THREAD + 1;

function textWeight({ field, match, fold }: TextFilter): number {
  const { isLong } = attributeType(field.type);
  if (isLong && (match === 'contains' || match === 'endsWith')) return WITHIN_LONG;
  const each = isLong ? 1 : 0.4;
  return fold ? each * 9 : each;
}

/** The cost of a condition per row of its own table. `selective`: an index finds the few rows that match. */
interface Condition {
  readonly weight: number;
  readonly selective: boolean;
}

type TextFilter = Extract<Filter, { readonly kind: 'text' }>;

const NOTHING: Condition = { weight: 0, selective: true };

function linkScan({ storage, target }: ReadableRelation): Scan[] {
  switch (storage.kind) {
    case 'link':
      // Relations inside components are in a link table of their owner, and looked up by owner.
      return storage.table === '' ? [] : [{ table: storage.table, weight: LINK }];
    case 'inverseMorph':
      return [{ table: storage.table, weight: LINK }];
    case 'inverseForeignKey':
      return [{ table: target.table, weight: LINK }];
    case 'foreignKey':
      return [];
  }
}

function relatedCondition({ relation, filter: own, narrowed }: RelatedFilter, scans: Scan[]): Condition {
  const filter = allOf([own, narrowed]);
  const inner = filter === undefined ? { weight: 0, selective: false } : conditionOf(filter, scans);
  // The other locales of a row are looked up by document id.
  if (relation.kind === 'localizations') return { weight: HOP + inner.weight, selective: false };
  if (inner.selective) return { weight: COMPARISON, selective: true };
  scans.push(...linkScan(relation));
  if (inner.weight > 0) scans.push({ table: relation.target.table, weight: inner.weight });
  return { weight: COMPARISON, selective: false };
}

function sum(conditions: readonly Condition[]): number {
  return conditions.reduce((total, { weight }) => total + weight, 0);
}

function ownCondition(condition: FilterCondition, scans: Scan[]): Condition {
  switch (condition.kind) {
    case 'nothing':
      return NOTHING;
    case 'modified':
      return { weight: LISTED, selective: false };
    case 'compare':
      return { weight: COMPARISON, selective: condition.field.indexed && condition.comparison === '=' };
    case 'in':
      return { weight: COMPARISON, selective: condition.field.indexed };
    case 'null':
    case 'words':
      return { weight: COMPARISON, selective: false };
    case 'text':
      return {
        weight: textWeight(condition),
        selective: condition.field.indexed && condition.match === 'equals' && !condition.fold,
      };
    case 'related':
      return relatedCondition(condition, scans);
    case 'item': {
      const inner = condition.filter === undefined ? NOTHING : conditionOf(condition.filter, scans);
      return { weight: ITEM * (1 + inner.weight), selective: false };
    }
  }
}

/** The cost of a filter. Adds the tables behind relations to `scans`. */
function conditionOf(filter: Filter, scans: Scan[]): Condition {
  return foldFilter<Condition>(filter, {
    condition: (condition) => ownCondition(condition, scans),
    all(conditions) {
      const weight = sum(conditions);
      // Searching long texts takes long even if an index leaves only a few rows.
      return { weight, selective: weight < WITHIN_LONG && conditions.some(({ selective }) => selective) };
    },
    any: (conditions) => ({
      weight: sum(conditions),
      selective: conditions.length > 0 && conditions.every(({ selective }) => selective),
    }),
    not({ weight }, negated) {
      // The rows of a list that must not meet a filter are looked up for each entry, whatever indexes the filter has.
      if (negated.kind === 'related' && negated.relation.kind === 'relation') scans.push(...linkScan(negated.relation));
      return { weight, selective: false };
    },
    unmet: ({ weight }) => ({ weight, selective: false }),
  });
}

function keyWeight({ path, field }: SortKey): number {
  if (path.length === 0) return field.name === 'id' ? 0 : SORTED;
  let weight = HOP;
  for (const step of path) {
    const many = step.kind === 'relation' ? step.relation.many : step.component.repeatable;
    weight *= many ? LIST_HOP : 1;
    if (step.kind === 'component') weight += ITEM;
  }
  return weight;
}

/** The scans of sort keys through to-many relations: each row of their tables belongs to at least one list. */
function pathScans(sort: readonly SortKey[], scans: Scan[]): void {
  for (const { path } of sort) {
    for (const step of path) {
      if (step.kind !== 'relation' || step.relation.kind !== 'relation' || !step.relation.many) continue;
      scans.push(...relationTables(step.relation).map((table) => ({ table, weight: LISTED })));
    }
  }
}

/**
 * Whether the list is in the order of an index: one whose first column is the first sort key. SQLite sorts decimals that are equal in
 * its index by their digits.
 */
function isInOrder(sort: readonly SortKey[]): boolean {
  const [first] = sort;
  if (first?.field.columnType === 'decimal') return false;
  return first !== undefined && first.path.length === 0 && first.field.sorted === 'first';
}

function sortWeight(sort: readonly SortKey[]): number {
  return sort.reduce((total, key) => total + keyWeight(key), 0);
}

/** How often a page after a cursor evaluates each key of a row before it sorts: for greater, equal and null. */
const COMPARED_KEYS = 3;

function orderWeight({ sort, page }: ListQuery): number {
  if (isInOrder(sort)) return 0;
  return sortWeight(sort) * (page.kind === 'keyset' && page.position ? 1 + COMPARED_KEYS : 1);
}

/** The rows scanned for populated windows: all windows together cover each table at most once. */
function windowScans({ filter, sort }: Question, tables: readonly string[], scans: Scan[]): void {
  const weight = (filter === undefined ? 0 : conditionOf(filter, scans).weight) + sortWeight(sort);
  if (weight > 0) scans.push(...tables.map((table) => ({ table, weight })));
  pathScans(sort, scans);
}

function relationTables(relation: ReadableRelation): readonly string[] {
  return [...new Set([relation.target.table, ...linkScan(relation).map(({ table }) => table)])];
}

function populationScans(population: Population, scans: Scan[]): void {
  switch (population.kind) {
    case 'relation':
      if (population.relation.kind === 'relation') {
        windowScans(population.window, relationTables(population.relation), scans);
      }
      entryScans(population.entry, scans);
      break;
    case 'count':
      if (population.relation.kind === 'relation') {
        const tables = relationTables(population.relation);
        // If every related row counts, the index alone determines their number.
        const weight = population.live || population.filter !== undefined ? LISTED : LINK;
        scans.push(...tables.map((table) => ({ table, weight })));
        windowScans({ filter: population.filter, sort: [] }, tables, scans);
      }
      break;
    case 'morph':
      for (const { entry } of population.targets) entryScans(entry, scans);
      break;
    case 'component':
      for (const inner of population.item.populate) populationScans(inner, scans);
      break;
    case 'zone':
      for (const { populate } of population.items) for (const inner of populate) populationScans(inner, scans);
      break;
  }
}

function entryScans({ populate }: EntrySelection, scans: Scan[]): void {
  for (const population of populate) populationScans(population, scans);
}

/** The scans of a query for one entry, which is looked up by its id. */
export function entryQueryScans({ entry, filter }: ReadQuery): readonly Scan[] {
  const scans: Scan[] = [];
  const weight = filter === undefined ? 0 : conditionOf(filter, scans).weight;
  if (weight > 0) scans.push({ table: entry.type.table, weight, most: 1 });
  entryScans(entry, scans);
  return scans;
}

/** The scans of a list, including the count of its entries. */
export function listQueryScans(query: ListQuery): readonly Scan[] {
  const { entry, filter, page, maxCount } = query;
  const scans: Scan[] = [];
  const { table } = entry.type;
  const condition = filter === undefined ? undefined : conditionOf(filter, scans);
  if (!condition?.selective) {
    const weight = (condition?.weight ?? 0) + orderWeight(query);
    if (weight > 0) scans.push({ table, weight });
    if (page.withCount) scans.push({ table, weight: COUNTED, ...(maxCount !== undefined && { most: maxCount }) });
    const { start, limit } = rowsOf(page);
    scans.push({ table, weight: RETURNED, most: limit });
    if (start > 0) scans.push({ table, weight: SKIPPED, most: start });
  }
  if (!condition?.selective) pathScans(query.sort, scans);
  entryScans(entry, scans);
  return scans;
}

/** The scans of the count of a list. */
export function countScans({ entry, filter, maxCount }: ListQuery): readonly Scan[] {
  const scans: Scan[] = [];
  const condition = filter === undefined ? undefined : conditionOf(filter, scans);
  if (condition?.selective) return scans;
  const most = maxCount === undefined ? {} : { most: maxCount };
  // Rows that don't match the filter are scanned, too, however few are counted.
  if (condition) scans.push({ table: entry.type.table, weight: condition.weight });
  scans.push({ table: entry.type.table, weight: COUNTED, ...most });
  return scans;
}
