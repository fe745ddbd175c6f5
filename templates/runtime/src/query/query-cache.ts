/** Compiled queries, remembered by who asks and by the query string, so that a repeated query is not parsed again. */
import { LRUCache } from 'lru-cache';

/** Of one set of permissions, in characters of SQL. */
const MAX_SIZE = 8 * 1024 * 1024;
const MAX_ENTRIES = 1000;
/** Pages that are built of many blocks ask for them in long query strings, always the same; longer ones hardly come twice. */
const MAX_KEY_LENGTH = 16 * 1024;

export interface Sized {
  /** In characters. */
  readonly size: number;
}

export interface QueryCache {
  /** What is remembered for the key, or what `make` answers; nothing is remembered when it throws. */
  remember<Compiled extends Sized>(permissions: ReadonlySet<string>, key: string, make: () => Compiled): Compiled;
}

function createCache(): LRUCache<string, Sized> {
  return new LRUCache({
    max: MAX_ENTRIES,
    maxSize: MAX_SIZE,
    sizeCalculation: (compiled, text) => compiled.size + text.length,
  });
}

/** A cache of compiled queries. A key must say the kind of what is remembered by it. Permissions are told apart by identity. */
export function createQueryCache(): QueryCache {
  const byPermissions = new WeakMap<ReadonlySet<string>, LRUCache<string, Sized>>();
  function cacheOf(permissions: ReadonlySet<string>): LRUCache<string, Sized> {
    const known = byPermissions.get(permissions);
    if (known) return known;
    const made = createCache();
    byPermissions.set(permissions, made);
    return made;
  }
  return {
    remember<Compiled extends Sized>(permissions: ReadonlySet<string>, key: string, make: () => Compiled): Compiled {
      const cache = cacheOf(permissions);
      const known = cache.get(key);
      if (known) {
        return known as Compiled;
      }
      const made = make();
      if (key.length <= MAX_KEY_LENGTH) {
        cache.set(key, made);
      }
      return made;
    },
  };
}
