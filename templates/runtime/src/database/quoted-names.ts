/** Quoted table and column names in statements. */
import { raw, type Sql } from './sql.ts';

/** Caches the results of `quote`. Only names from the descriptors are quoted, so the cache stays bounded. */
export function createNames(quote: (name: string) => string): (name: string) => Sql {
  const known = new Map<string, Sql>();
  return (name) => {
    const quoted = known.get(name) ?? raw(quote(name));
    known.set(name, quoted);
    return quoted;
  };
}
