/** Names of tables and columns in statements. */
import { raw, type Sql } from './sql.ts';

/** What quotes a name; each is quoted once, for there are only those of the descriptors. */
export function createNames(quote: (name: string) => string): (name: string) => Sql {
  const known = new Map<string, Sql>();
  return (name) => {
    const quoted = known.get(name) ?? raw(quote(name));
    known.set(name, quoted);
    return quoted;
  };
}
