/**
 * Indexes that PostgreSQL creates or drops CONCURRENTLY. As this is no transaction, an interrupted statement leaves an
 * invalid index behind, which is maintained but not used. It is dropped and created again.
 */
import type { ScriptPart } from '../contract/migrations/script.ts';
import type { Session } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { MigrationError } from './migration-error.ts';

/**
 * How long to wait for older transactions, in milliseconds. Nobody queues behind this wait, so it may be longer than for a
 * table lock. If it times out, the work done so far is lost.
 */
const PATIENCE = 15 * 60_000;

/** The state of an index. */
type State = 'absent' | 'invalid' | 'valid';

async function stateOf(session: Session, name: string): Promise<State> {
  const quoted = session.dialect.id(name).text;
  const row = await session.get(
    sql`SELECT x.indisvalid::int AS valid FROM pg_index x WHERE x.indexrelid = to_regclass(${quoted})`,
  );
  if (!row) return 'absent';
  return row['valid'] === 1 ? 'valid' : 'invalid';
}

/** What to do if there is a valid index that the migration did not create. */
function alreadyThere(name: string): string {
  return `there is already an index of that name, which this migration did not create. Drop it, and start again: DROP INDEX CONCURRENTLY "${name}";`;
}

/** Why an index can't be created later; undefined if no reason is found. */
export async function nameTaken(session: Session, name: string): Promise<string | undefined> {
  return (await stateOf(session, name)) === 'valid' ? alreadyThere(name) : undefined;
}

/** Runs a statement with a longer lock timeout than in transactions, where others queue behind it. */
async function runPatiently(session: Session, statement: string): Promise<void> {
  const row = await session.get(sql`SELECT current_setting('lock_timeout') AS before`);
  const set = (value: string): Promise<unknown> => session.get(sql`SELECT set_config('lock_timeout', ${value}, false)`);
  await set(String(PATIENCE));
  try {
    await session.script(statement);
  } finally {
    await set(String(row?.['before'])).catch(() => undefined);
  }
}

/** Drops an index that an interrupted statement left behind. Returns whether there is a valid one of that name. */
export async function dropInvalid(session: Session, name: string): Promise<boolean> {
  const state = await stateOf(session, name);
  if (state === 'invalid') {
    await runPatiently(session, `DROP INDEX CONCURRENTLY IF EXISTS ${session.dialect.id(name).text}`);
  }
  return state === 'valid';
}

/**
 * Runs a statement that creates or drops an index, unless it has begun before (`hasBegun`) and taken effect. `begin` records
 * that it begins. Drops an invalid index of that name first. Throws a MigrationError if there is a valid one that this
 * statement did not create.
 */
export async function runConcurrently(
  session: Session,
  text: string,
  part: Extract<ScriptPart, { readonly runs: 'concurrently' }>,
  { hasBegun, begin }: { readonly hasBegun: boolean; readonly begin: () => Promise<void> },
): Promise<void> {
  if ('drops' in part) {
    if (hasBegun && (await stateOf(session, part.drops)) === 'absent') return;
    await begin();
    return runPatiently(session, text);
  }
  if (await dropInvalid(session, part.creates)) {
    if (hasBegun) return;
    throw new MigrationError(alreadyThere(part.creates));
  }
  await begin();
  await runPatiently(session, text);
}
