/** Interns sets of permissions: their identity is part of the cache key of compiled queries. */
import { LRUCache } from 'lru-cache';

const MAX_SETS = 500;

/** Returns the same object for the same permissions, in any order. */
export type InternPermissions = (permissions: Iterable<string>) => ReadonlySet<string>;

export function createPermissionInterner(): InternPermissions {
  const known = new LRUCache<string, ReadonlySet<string>>({ max: MAX_SETS });
  return (permissions) => {
    const sorted = [...new Set(permissions)].sort();
    const key = sorted.join();
    const set = known.get(key) ?? new Set(sorted);
    known.set(key, set);
    return set;
  };
}
