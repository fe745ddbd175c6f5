/** Orders renames so that each new name is free. */
import { databaseName } from '../../storage/database-name.ts';

export interface NameChange<T> {
  readonly from: string;
  readonly to: string;
  readonly thing: T;
}

/** A temporary name that is not taken. */
export function spareName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const spare = databaseName(name, 'moved', String(number));
    if (!taken.has(spare)) return spare;
  }
}

/**
 * Orders renames: chains from their end, and cycles by way of a temporary name. `taken` are all existing names. Changes that keep
 * their name are left out.
 */
export function inOrder<T>(changes: readonly NameChange<T>[], taken: Iterable<string>): readonly NameChange<T>[] {
  const names = new Set(taken);
  const ordered: NameChange<T>[] = [];
  let open = changes.filter(({ from, to }) => from !== to);
  const move = (change: NameChange<T>): void => {
    ordered.push(change);
    names.delete(change.from);
    names.add(change.to);
  };
  while (open.length > 0) {
    const free = open.filter(({ to }) => !names.has(to));
    for (const change of free) move(change);
    open = open.filter((change) => !free.includes(change));
    if (free.length > 0) continue;
    const stuck = open.find(({ to }) => open.some(({ from }) => from === to));
    if (!stuck) throw new Error(`the name ${open[0]?.to ?? ''} is still in use`);
    const spare = spareName(stuck.from, names);
    move({ ...stuck, to: spare });
    open = open.map((change) => (change === stuck ? { ...stuck, from: spare } : change));
  }
  return ordered;
}
