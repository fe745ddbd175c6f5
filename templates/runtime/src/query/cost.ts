/**
 * What a query costs, from its shape and the schema alone: about the microseconds that it takes at most, if every table has as many rows
 * as is assumed. The same query costs the same whatever content there is, so that a frontend can know it before.
 */
import type { ApiSettings } from '../contract/content-type.ts';
import type { Scan } from '../database/statement-runner.ts';
import { indexAdvice } from './missing-index.ts';
import { rowsOf } from './pagination.ts';
import type { ListQuery, Population, ReadQuery } from './read-query.ts';
import { countScans, entryQueryScans, listQueryScans } from './scans.ts';

/** Any read: receiving it, and looking up the few rows that an index finds. */
const READ = 50;
/** Building a populated entry. */
const POPULATED = 8;
/** Any write, besides reading what is answered. */
export const WRITE_COST = 1000;
/** How many entries a populated list is taken to have, and a list of components, if the query does not limit it. */
const LISTED_ENTRIES = 25;
const LISTED_ITEMS = 10;

/** What costs are computed from. */
export interface CostBasis {
  /** The number of rows that each table is taken to have. */
  readonly rows: number;
  readonly maxAnswerEntries: ApiSettings['maxAnswerEntries'];
}

function costOfScans(scans: readonly Scan[], { rows }: CostBasis): number {
  return scans.reduce((sum, { weight, most = Infinity }) => sum + weight * Math.min(rows, most), 0);
}

/** How many entries are populated for one of the entries, at any depth. */
function shownBy(populate: readonly Population[]): number {
  return populate.reduce((sum, population) => sum + shownFor(population), 0);
}

function shownFor(population: Population): number {
  switch (population.kind) {
    case 'count':
      return 0;
    case 'relation': {
      const { relation, window, entry } = population;
      const isMany = relation.kind === 'localizations' || relation.many;
      return (isMany ? (window.limit ?? LISTED_ENTRIES) : 1) * (1 + shownBy(entry.populate));
    }
    case 'morph': {
      const inside = Math.max(0, ...population.targets.map(({ entry }) => shownBy(entry.populate)));
      return (population.relation.many ? (population.limit ?? LISTED_ENTRIES) : 1) * (1 + inside);
    }
    case 'component':
      return (population.component.repeatable ? LISTED_ITEMS : 1) * shownBy(population.item.populate);
    case 'zone':
      return LISTED_ITEMS * Math.max(0, ...population.items.map(({ populate }) => shownBy(populate)));
  }
}

/** Building what is populated, of which no answer has more than the limit. */
function costOfPopulated(entries: number, { entry }: ReadQuery, { maxAnswerEntries }: CostBasis): number {
  return POPULATED * Math.min(maxAnswerEntries, entries * shownBy(entry.populate));
}

/** What one entry costs. */
export function entryCost(query: ReadQuery, basis: CostBasis): number {
  return Math.ceil(READ + costOfScans(entryQueryScans(query), basis) + costOfPopulated(1, query, basis));
}

/** A list whose page an index leads to: what does not match is not examined, and nothing is sorted. */
function servedQuery(query: ListQuery): ListQuery {
  const { isServed } = indexAdvice(query.entry.type, query, { looksThroughTexts: false, backwards: true });
  return isServed ? { ...query, filter: undefined, sort: [] } : query;
}

/** The tables that a list may have to examine. */
export function listScans(query: ListQuery): readonly Scan[] {
  return listQueryScans(servedQuery(query));
}

/** What a page of a list costs. */
export function listCost(query: ListQuery, basis: CostBasis): number {
  const { limit } = rowsOf(query.page);
  return Math.ceil(READ + costOfScans(listScans(query), basis) + costOfPopulated(limit, query, basis));
}

/** What counting a list costs. */
export function countCost(query: ListQuery, basis: CostBasis): number {
  return Math.ceil(READ + costOfScans(countScans(query), basis));
}
