/** Weighs the lists that a query populates, to choose between the two ways of `list-bounds.ts` to compile it. */
import type { Population } from '../read-query.ts';
import type { AnswerLimits } from '../../base/cost/answer-budget.ts';
import { MAX_GUARDED_ITEMS } from '../../contract/limits.ts';
import type { ListBounds } from './list-bounds.ts';

/** The number of lists that one statement would build per entry; Infinity if there are lists inside lists. */
function listWeight(populated: readonly Population[]): number {
  let weight = 0;
  for (const population of populated) weight += weightOf(population);
  return weight;
}

function weightOf(population: Population): number {
  switch (population.kind) {
    case 'count':
      return 0;
    case 'relation': {
      const { relation, entry } = population;
      const inside = listWeight(entry.populate);
      if (relation.kind === 'relation' && !relation.many) return inside;
      return inside > 0 ? Infinity : 1;
    }
    case 'morph': {
      const inside = population.targets.reduce((sum, { entry }) => sum + listWeight(entry.populate), 0);
      if (!population.relation.many) return inside;
      return inside > 0 ? Infinity : 1;
    }
    case 'component': {
      const items = population.component.repeatable ? MAX_GUARDED_ITEMS : 1;
      return items * listWeight(population.item.populate);
    }
    case 'zone':
      // Each item is of one of the components.
      return MAX_GUARDED_ITEMS * Math.max(0, ...population.items.map(({ populate }) => listWeight(populate)));
  }
}

/** Whether lists of entries are populated, at any depth. */
export function showsLists(populated: readonly Population[]): boolean {
  return listWeight(populated) > 0;
}

/** In entries. If a statement could only build shorter lists, all lists are counted first. */
const FEWEST = 8;

/**
 * How to bound the lists of `entries` entries: guarded if one statement can build them without building much more than an answer
 * may contain, deferred if they have to be counted first. Undefined if there are no lists.
 */
export function boundsFor(
  populated: readonly Population[],
  entries: number,
  { maxAnswerEntries, maxAnswerSize }: AnswerLimits,
): ListBounds | undefined {
  const weight = listWeight(populated);
  if (weight === 0) return undefined;
  const most = Math.floor((2 * maxAnswerEntries) / (entries * weight));
  return most < FEWEST ? { kind: 'deferred', lists: [] } : { kind: 'guarded', most, size: maxAnswerSize };
}
