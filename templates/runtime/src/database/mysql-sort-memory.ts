/** The memory in which a connection to MySQL or MariaDB sorts. */
import { MAX_SORT_KEYS } from '../contract/limits.ts';
import { codeOf } from './connection.ts';

/** Sorting compares this many bytes of a text. */
const MAX_SORT_LENGTH = 8192;
/** The server refuses to sort if fewer rows than this fit into the buffer. */
const MIN_ROWS = 15;
/** What follows the keys of a query in each row, in lengths of a key: the tiebreaker and the columns to return. */
const REST = 2;

/** In bytes. More would make MariaDB choose its priority queue, which pads each key, for pages that it sorts ten times as fast without. */
const ORDINARY = 2 * 1024 * 1024;
/** In bytes: holds as many keys as a query may have. */
const MOST = MIN_ROWS * (MAX_SORT_KEYS + REST) * MAX_SORT_LENGTH;

/** The variables of a connection. */
export const SORT_VARIABLES = [`max_sort_length = ${MAX_SORT_LENGTH}`, `sort_buffer_size = ${ORDINARY}`];

/** The server reports it before it reads a row. */
const OUT_OF_SORT_MEMORY = 'ER_OUT_OF_SORTMEMORY';

/** Runs a statement, and again with a larger buffer if its keys don't fit. `command` sets a variable of the connection. */
export async function withSortMemory<T>(run: () => Promise<T>, command: (text: string) => Promise<void>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Error) || codeOf(error.cause) !== OUT_OF_SORT_MEMORY) throw error;
  }
  await command(`SET sort_buffer_size = ${MOST}`);
  const reset = (): Promise<void> => command(`SET sort_buffer_size = ${ORDINARY}`);
  const result = await run().catch(async (error: unknown) => {
    // Of a connection that is lost, the first error says why.
    await reset().catch(() => undefined);
    throw error;
  });
  await reset();
  return result;
}
