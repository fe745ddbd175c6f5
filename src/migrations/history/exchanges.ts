/**
 * Swaps of names. The same names exist before and after a swap, so only the history tells whether it was carried out. Each swap
 * is remembered until its `renamedFrom` is removed from the schema, which the history records, too: if it is added again after
 * that, it is a new swap.
 */
import type { MigrationPlan, Rename } from '#contract/migrations/plan.ts';
import { groupBy } from './group-by.ts';

/** Renames that form a cycle: each takes the name of the next. */
export type Cycle = readonly Rename[];

/** The namespace of a rename. */
export function spaceOf(rename: Rename): string {
  return rename.kind === 'attribute' ? `attribute of ${rename.owner}` : rename.kind;
}

/** The cycle that starts with this rename; undefined if it is in none. */
export function cycleOf(rename: Rename, renames: readonly Rename[]): Cycle | undefined {
  const cycle: Rename[] = [rename];
  for (let last = rename; last.to !== rename.from;) {
    const next = renames.find(({ from }) => from === last.to);
    if (!next || cycle.includes(next)) return undefined;
    cycle.push(next);
    last = next;
  }
  return cycle;
}

function isSame(a: Rename, b: Rename): boolean {
  return spaceOf(a) === spaceOf(b) && a.from === b.from && a.to === b.to;
}

/** Whether these renames include a whole cycle. */
export function includesCycle(renames: readonly Rename[], cycle: Cycle): boolean {
  return cycle.every((rename) => renames.some((one) => isSame(one, rename)));
}

function cyclesIn(renames: readonly Rename[]): readonly Cycle[] {
  return [...groupBy(renames, spaceOf).values()].flatMap((own) => {
    const cycles: Cycle[] = [];
    for (const rename of own) {
      if (cycles.some((cycle) => cycle.includes(rename))) continue;
      const cycle = cycleOf(rename, own);
      if (cycle) cycles.push(cycle);
    }
    return cycles;
  });
}

function touches(renames: readonly Rename[], cycle: Cycle): boolean {
  return renames.some((one) =>
    cycle.some((rename) => spaceOf(one) === spaceOf(rename) && (one.from === rename.from || one.to === rename.to)),
  );
}

/** The cycles, with renamed types and components as the owners of their attributes. */
export function withNewOwners(cycles: readonly Cycle[], renames: readonly Rename[]): readonly Cycle[] {
  const names = new Map(renames.flatMap((one) => (one.kind === 'attribute' ? [] : [[one.from, one.to] as const])));
  return cycles.map((cycle) =>
    cycle.map((one) => (one.kind === 'attribute' ? { ...one, owner: names.get(one.owner) ?? one.owner } : one)),
  );
}

/** The swaps whose `renamedFrom` was still in the schema when the last migration was written. */
export function standingExchanges(history: readonly MigrationPlan[]): readonly Cycle[] {
  return history.reduce<readonly Cycle[]>((cycles, { renames = [], takenOut = [] }) => {
    const standing = withNewOwners(cycles, renames).filter(
      (cycle) => !touches(renames, cycle) && !includesCycle(takenOut, cycle),
    );
    return [...standing, ...cyclesIn(renames)];
  }, []);
}
