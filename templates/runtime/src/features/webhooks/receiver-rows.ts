/** What is known of receivers: which are disabled, and which are left alone for a while. */
import { WEBHOOK_SUBJECT } from '../../contract/events/event-names.ts';
import { RECEIVERS_TABLE } from '../../contract/events/webhook.ts';
import { type Database, UniqueViolation } from '../../database/database.ts';
import { raw, sql, type Sql } from '../../database/sql.ts';
import { statement, type Writer } from '../../database/write-plan.ts';

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

/** Runs a statement that turns a receiver on or off. It is recorded, unless the receiver is so already. */
async function turn(
  database: Database,
  { name, event, update, by }: { name: string; event: 'webhook.disable' | 'webhook.enable'; update: Sql; by?: Writer },
): Promise<void> {
  await database.write(async (tx) => {
    const row = await tx.get(sql`SELECT disabled_at FROM ${table} WHERE name = ${name}${tx.dialect.rowLock}`);
    const isOn = row?.['disabled_at'] === null;
    const details = { receiver: name };
    const subject = { action: 'update', type: WEBHOOK_SUBJECT, id: undefined, recorded: { event, details } } as const;
    const subjects = row && isOn === (event === 'webhook.disable') ? [subject] : [];
    return { subjects, ...(by && { by }), steps: [statement(update)], answer: () => undefined };
  });
}

/** `by`: undefined for the server itself. */
export async function disable(database: Database, name: string, reason: string, by?: Writer): Promise<void> {
  const update = sql`UPDATE ${table} SET disabled_at = ${Date.now()}, reason = ${reason} WHERE name = ${name} AND disabled_at IS NULL`;
  await turn(database, { name, event: 'webhook.disable', update, ...(by && { by }) });
}

/** `by`: undefined for the server itself. */
export async function enable(database: Database, name: string, by?: Writer): Promise<void> {
  const update = sql`UPDATE ${table} SET disabled_at = NULL, reason = NULL, failures = 0, paused_until = 0 WHERE name = ${name}`;
  await turn(database, { name, event: 'webhook.enable', update, ...(by && { by }) });
}
