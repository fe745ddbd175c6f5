/** What is known of receivers: which are disabled, and which are left alone for a while. */
import { RECEIVERS_TABLE } from '../../contract/events/webhook.ts';
import { type Database, UniqueViolation } from '../../database/database.ts';
import { raw, sql } from '../../database/sql.ts';

const table = raw(RECEIVERS_TABLE);

export interface ReceiverState {
  readonly name: string;
  /** In milliseconds since 1970; undefined: it is not. */
  readonly disabledAt: number | undefined;
  readonly reason: string | undefined;
  /** Failures in a row. */
  readonly failures: number;
  /** In milliseconds since 1970. */
  readonly pausedUntil: number;
}

/** The state of each receiver that has one. */
export async function readReceivers(database: Database): Promise<ReadonlyMap<string, ReceiverState>> {
  const rows = await database.all(
    sql`SELECT name, disabled_at, reason, failures, paused_until FROM ${table} ORDER BY name`,
  );
  const numberOf = (value: unknown) => (value === null || value === undefined ? undefined : Number(value));
  const states = rows.map((row): [string, ReceiverState] => [
    String(row['name']),
    {
      name: String(row['name']),
      disabledAt: numberOf(row['disabled_at']),
      reason: typeof row['reason'] === 'string' ? row['reason'] : undefined,
      failures: Number(row['failures']),
      pausedUntil: Number(row['paused_until']),
    },
  ]);
  return new Map(states);
}

/** Adds the rows of receivers that have none. */
export async function addReceivers(database: Database, names: readonly string[]): Promise<void> {
  const known = await readReceivers(database);
  for (const name of names) {
    if (known.has(name)) continue;
    try {
      await database.run(sql`INSERT INTO ${table} (name, failures, paused_until) VALUES (${name}, 0, 0)`);
    } catch (error) {
      // Another instance has added it meanwhile.
      if (!(error instanceof UniqueViolation)) throw error;
    }
  }
}

/** Notes a failure; until then the receiver is left alone. */
export async function noteFailure(database: Database, name: string, pausedUntil: number): Promise<void> {
  await database.run(
    sql`UPDATE ${table} SET failures = failures + 1, paused_until = CASE WHEN paused_until > ${pausedUntil} THEN paused_until ELSE ${pausedUntil} END WHERE name = ${name}`,
  );
}

export async function noteSuccess(database: Database, name: string): Promise<void> {
  await database.run(sql`UPDATE ${table} SET failures = 0, paused_until = 0 WHERE name = ${name}`);
}

export async function disable(database: Database, name: string, reason: string): Promise<void> {
  await database.run(
    sql`UPDATE ${table} SET disabled_at = ${Date.now()}, reason = ${reason} WHERE name = ${name} AND disabled_at IS NULL`,
  );
}

export async function enable(database: Database, name: string): Promise<void> {
  await database.run(
    sql`UPDATE ${table} SET disabled_at = NULL, reason = NULL, failures = 0, paused_until = 0 WHERE name = ${name}`,
  );
}
