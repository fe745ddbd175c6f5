/** Sets of permissions, one object for each that differs: compiled queries are remembered by it. */
import { LRUCache } from 'lru-cache';

const MAX_SETS = 500;

/** Answers the same set for the same permissions, in whatever order. */
export type PermissionSets = (permissions: Iterable<string>) => ReadonlySet<string>;

export function createPermissionSets(): PermissionSets {
  const known = new LRUCache<string, ReadonlySet<string>>({ max: MAX_SETS });
  return (permissions) => {
    const sorted = [...new Set(permissions)].sort();
    const key = sorted.join();
    const set = known.get(key) ?? new Set(sorted);
    known.set(key, set);
    return set;
  };
}
