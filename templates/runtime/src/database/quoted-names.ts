/** Quoted table and column names in statements. */
import { raw, type Sql } from './sql.ts';

/** A cache around `quote`: there are only the names of the descriptors, so it stays bounded. */
export function createNames(quote: (name: string) => string): (name: string) => Sql {
  const known = new Map<string, Sql>();
  return (name) => {
    const quoted = known.get(name) ?? raw(quote(name));
    known.set(name, quoted);
    return quoted;
  };
}
