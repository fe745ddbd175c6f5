/**
 * Names that were exchanged: they are there before and after, so that only the history tells whether an exchange was carried
 * out. Each is remembered until its `renamedFrom` is taken out of the schema, which the history records too: written once more
 * it is another exchange then.
 */
import type { MigrationPlan } from './change.ts';
import { groupBy } from './group-by.ts';
import type { Rename } from './rename.ts';

/** Renames that form a circle: each takes the name of the next. */
export type Cycle = readonly Rename[];

/** The space of names that a rename is in. */
export function spaceOf(rename: Rename): string {
  return rename.kind === 'attribute' ? `attribute of ${rename.owner}` : rename.kind;
}

/** The renames that end where this one began; undefined where they don't. */
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

/** Whether these renames are all of a circle. */
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

/** The circles with the types and components that have the attributes under their new names. */
export function withNewOwners(cycles: readonly Cycle[], renames: readonly Rename[]): readonly Cycle[] {
  const names = new Map(renames.flatMap((one) => (one.kind === 'attribute' ? [] : [[one.from, one.to] as const])));
  return cycles.map((cycle) =>
    cycle.map((one) => (one.kind === 'attribute' ? { ...one, owner: names.get(one.owner) ?? one.owner } : one)),
  );
}

/** The exchanges whose `renamedFrom` still stood in the schema when the last migration was written. */
export function standingExchanges(history: readonly MigrationPlan[]): readonly Cycle[] {
  return history.reduce<readonly Cycle[]>((cycles, { renames = [], takenOut = [] }) => {
    const standing = withNewOwners(cycles, renames).filter(
      (cycle) => !touches(renames, cycle) && !includesCycle(takenOut, cycle),
    );
    return [...standing, ...cyclesIn(renames)];
  }, []);
}
