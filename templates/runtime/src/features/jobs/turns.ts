/** The turns of a schedule: when a cron expression applies, in a time zone. */
import { Cron } from 'croner';

export interface Schedule {
  readonly name: string;
  readonly expression: string;
  readonly timeZone: string;
}

function cronOf({ expression, timeZone }: Schedule): Cron {
  return new Cron(expression, { timezone: timeZone, paused: true });
}

/** What is wrong with a schedule; undefined if nothing is. */
export function problemOfSchedule(schedule: Schedule): string | undefined {
  const { expression, timeZone } = schedule;
  try {
    Intl.DateTimeFormat('en', { timeZone });
  } catch {
    return `has the time zone ${JSON.stringify(timeZone)}, which does not exist; write one such as Europe/Berlin`;
  }
  try {
    if (cronOf(schedule).nextRun()) return undefined;
    return `has the schedule ${JSON.stringify(expression)}, which never has a turn`;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return `has the schedule ${JSON.stringify(expression)}, which is no cron expression such as 0 3 * * *: ${why}`;
  }
}

/** Later than any turn: that of a schedule whose turns are over. */
export const NEVER = 8_640_000_000_000_000;

/** The first turn after a time; both in milliseconds since 1970. */
export function nextTurn(schedule: Schedule, after: number): number {
  return cronOf(schedule).nextRun(new Date(after))?.getTime() ?? NEVER;
}
