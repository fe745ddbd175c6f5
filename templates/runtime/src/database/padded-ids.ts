/** Lists of ids as parameters. */
import type { Sql } from './sql.ts';

/**
 * Parameters padded to the next power of two by repeating the last id, so that few distinct statement texts occur. Needs at
 * least one id.
 */
export function paddedIds(ids: readonly number[]): Sql {
  const params = [...ids];
  for (const length = 2 ** Math.ceil(Math.log2(ids.length)); params.length < length;) params.push(params.at(-1) ?? 0);
  return { text: params.map(() => '?').join(', '), params };
}
