/** Lists of ids as parameters. */
import { join, sql, type Sql } from './sql.ts';

/** As many parameters as the next power of two, the last id repeated: there are only a few texts of such lists. At least one id. */
export function paddedIds(ids: readonly number[]): Sql {
  const length = 2 ** Math.ceil(Math.log2(ids.length));
  const padded = Array.from({ length }, (_, index) => sql`${ids[Math.min(index, ids.length - 1)] ?? 0}`);
  return join(padded, ', ');
}
