/**
 * Adds the jobs of schedules at their turns. Whichever instance comes first takes a turn, by moving the schedule's row to the next one in
 * the transaction that adds the job. Turns that were missed, because nothing ran, count as one.
 */
import { SCHEDULES_TABLE } from '../../contract/jobs/job-tables.ts';
import { type Database, UniqueViolation } from '../../database/database.ts';
import { type MovedClock, readNow } from '../../database/moved-clock.ts';
import { raw, sql } from '../../database/sql.ts';
import { addJob } from './job-rows.ts';
import { nextTurn, type Schedule } from './turns.ts';

const table = raw(SCHEDULES_TABLE);

interface ScheduleRow {
  readonly expression: string;
  readonly nextAt: number;
}

/** When each schedule has its next turn. */
export async function readSchedules(database: Database): Promise<ReadonlyMap<string, ScheduleRow>> {
  const rows = await database.all(sql`SELECT name, expression, next_at FROM ${table} ORDER BY name`);
  return new Map(
    rows.map((row) => [String(row['name']), { expression: String(row['expression']), nextAt: Number(row['next_at']) }]),
  );
}

function textOf({ expression, timeZone }: Schedule): string {
  return `${expression} ${timeZone}`;
}

async function addRow(database: Database, schedule: Schedule, nextAt: number): Promise<void> {
  try {
    await database.run(
      sql`INSERT INTO ${table} (name, expression, next_at) VALUES (${schedule.name}, ${textOf(schedule)}, ${nextAt})`,
    );
  } catch (error) {
    // Another instance has added it meanwhile.
    if (!(error instanceof UniqueViolation)) throw error;
  }
}

/** Takes the turn of a row that is due, if no other instance has. */
async function takeTurn(
  database: Database,
  clock: MovedClock,
  { schedule, turn, next }: { readonly schedule: Schedule; readonly turn: number; readonly next: number },
): Promise<void> {
  const { name } = schedule;
  await database.transaction(async (tx) => {
    const { changes } = await tx.run(
      sql`UPDATE ${table} SET expression = ${textOf(schedule)}, next_at = ${next} WHERE name = ${name} AND next_at = ${turn}`,
    );
    if (changes === 0) return;
    // The key keeps a turn from being done again after the clock was set back.
    const key = `turn ${new Date(turn).toISOString()}`;
    await addJob(tx, clock, { name, input: undefined, key, after: 0 });
  });
}

/** Adds the jobs whose turn it is. */
export async function takeTurns(database: Database, clock: MovedClock, schedules: readonly Schedule[]): Promise<void> {
  if (schedules.length === 0) return;
  const rows = await readSchedules(database);
  const now = await readNow(database, clock);
  for (const schedule of schedules) {
    const row = rows.get(schedule.name);
    const next = nextTurn(schedule, now);
    if (!row) await addRow(database, schedule, next);
    else if (row.nextAt <= now) await takeTurn(database, clock, { schedule, turn: row.nextAt, next });
    else if (row.nextAt > next || row.expression !== textOf(schedule)) {
      // The schedule has changed, or the clock was ahead.
      await database.run(
        sql`UPDATE ${table} SET expression = ${textOf(schedule)}, next_at = ${next} WHERE name = ${schedule.name} AND next_at = ${row.nextAt}`,
      );
    }
  }
}
