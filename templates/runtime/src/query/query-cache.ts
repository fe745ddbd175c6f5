/** A cache of compiled queries by permissions and query shape, so that each shape is parsed once. */
import { LRUCache } from 'lru-cache';
import { counters } from '../base/counters.ts';

/** In characters of SQL, per set of permissions. */
const MAX_SIZE = 8 * 1024 * 1024;
const MAX_ENTRIES = 1000;
/** The share of queries used only once so far: a flood of shapes that never repeat can't evict the others. */
const FRESH_SHARE = 1 / 4;

export interface Sized {
  /** In characters. */
  readonly size: number;
}

type Store = LRUCache<string, Sized>;

/** A segmented LRU cache: entries used once, and entries used again. */
interface Stores {
  readonly fresh: Store;
  readonly reused: Store;
}

export interface QueryCache {
  get(permissions: ReadonlySet<string>, key: string): Sized | undefined;
  set(permissions: ReadonlySet<string>, key: string, compiled: Sized): void;
}

function createStore(share: number): Store {
  return new LRUCache({
    max: MAX_ENTRIES * share,
    maxSize: MAX_SIZE * share,
    sizeCalculation: ({ size }, key) => size + key.length,
  });
}

/** Creates a cache. Keys must include the kind of the cached value. Permission sets are compared by identity. */
export function createQueryCache(): QueryCache {
  const byPermissions = new WeakMap<ReadonlySet<string>, Stores>();
  function storesOf(permissions: ReadonlySet<string>): Stores {
    const known = byPermissions.get(permissions);
    if (known) return known;
    const made = { fresh: createStore(FRESH_SHARE), reused: createStore(1 - FRESH_SHARE) };
    byPermissions.set(permissions, made);
    return made;
  }
  return {
    get(permissions, key) {
      const { fresh, reused } = storesOf(permissions);
      const known = reused.get(key);
      if (known) {
        counters.queriesReused += 1;
        return known;
      }
      const usedAgain = fresh.get(key);
      if (!usedAgain) return undefined;
      counters.queriesReused += 1;
      fresh.delete(key);
      reused.set(key, usedAgain);
      return usedAgain;
    },
    set(permissions, key, compiled) {
      counters.queriesCompiled += 1;
      storesOf(permissions).fresh.set(key, compiled);
    },
  };
}
