/** Lists of ids as parameters. */
import type { Sql } from './sql.ts';

/** As many parameters as the next power of two, the last id repeated: there are only a few texts of such lists. At least one id. */
export function paddedIds(ids: readonly number[]): Sql {
  const params = [...ids];
  for (const length = 2 ** Math.ceil(Math.log2(ids.length)); params.length < length;) params.push(params.at(-1) ?? 0);
  return { text: params.map(() => '?').join(', '), params };
}
