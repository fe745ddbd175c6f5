/** The time of work that is due: that of the database, which all instances share, and which tests move. */
import type { Executor } from './executor.ts';
import { raw, sql, type Sql } from './sql.ts';

export interface MovedClock {
  /** In milliseconds. */
  moved: number;
}

/** The time, so many milliseconds from now. */
export function nowOf({ dialect }: Pick<Executor, 'dialect'>, { moved }: MovedClock, later = 0): Sql {
  return sql`(${dialect.now} + ${raw(String(Math.round(moved + later)))})`;
}

/** Reads the time, in milliseconds since 1970. */
export async function readNow(executor: Pick<Executor, 'dialect' | 'get'>, clock: MovedClock): Promise<number> {
  return Number((await executor.get(sql`SELECT ${nowOf(executor, clock)} AS now`))?.['now']);
}
