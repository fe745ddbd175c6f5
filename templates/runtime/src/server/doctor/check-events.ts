/** Checks that old events are deleted. Loaded only by servers with events. */
import { EVENT_LOG_TABLE } from '../../contract/events/event-log.ts';
import type { Database } from '../../database/database.ts';
import { countUpTo } from '../../database/count-up-to.ts';
import { raw, sql } from '../../database/sql.ts';
import { EVENTS_KEPT } from '../../features/events/event-rows.ts';
import { type Finding, findingsAbout } from './finding.ts';

const of = findingsAbout('events');
const log = raw(EVENT_LOG_TABLE);

const MOST_COUNTED = 100_000;
/** How long after their time events may still be there, in milliseconds: servers delete them every ten minutes. */
const LATE = 24 * 3_600_000;

/** How many events there are, and whether some are older than they should be. */
export async function checkEvents(database: Database): Promise<readonly Finding[]> {
  // The rows are in the order of their times, but for those of clocks that differ.
  const oldest = await database.get(sql`SELECT since FROM ${log} ORDER BY id LIMIT 1`);
  if (!oldest) return [of.good('there are none')];
  const count = await countUpTo(database, log, sql`1 = 1`, MOST_COUNTED);
  const text = `${count === MOST_COUNTED ? `at least ${count}` : count} are kept`;
  const day = new Date(Number(oldest['since'])).toISOString().slice(0, 10);
  if (Date.now() - Number(oldest['since']) <= EVENTS_KEPT + LATE) return [of.good(text)];
  return [
    of.warning(`${text}, the oldest since ${day}, which is more than seven days: does a server run that deletes them?`),
  ];
}
