/** Places in PostgreSQL's log, as the servers tell them. */
import { LATEST, type Position } from '../../base/read-point.ts';
import type { Connection } from '../connection.ts';
import type { Database } from '../database.ts';
import type { Row } from '../statement-runner.ts';
import { withDeadline } from '../deadline.ts';
import { raw } from '../sql.ts';

const START = "'0/0'::pg_lsn";

/**
 * How far a server is: what it has replayed, or written. Of one that is written to this is not the place that new records get, which
 * may be after the head of a page: nobody replays up to there.
 */
export const ASK_STATE = raw(
  `SELECT (CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END - ${START})::bigint AS position, ` +
    'pg_is_in_recovery() AS replica',
);

/** A place behind all that is visible by now, also where commits are not waited for (`synchronous_commit = off`). */
const ASK_LATEST = raw(`SELECT (pg_current_wal_insert_lsn() - ${START})::bigint AS position`);

export interface ServerState {
  readonly position: Position;
  /** Whether it follows another server. */
  readonly isReplica: boolean;
}

/** The state in a row of `ASK_STATE`. */
export function stateIn(row: Row | undefined): ServerState {
  return { position: Number(row?.['position'] ?? 0), isReplica: row?.['replica'] === 1 };
}

export async function stateOf(connection: Connection): Promise<ServerState> {
  const { rows } = await connection.query(ASK_STATE);
  return stateIn(rows[0]);
}

/** How long the position of a write is waited for that is done, in milliseconds. */
const PATIENCE = 1000;

/**
 * Answers where the log is now, after all that was done before the call; LATEST where nobody can say so. One question is asked for all
 * who come while another one is under way.
 */
export function latestPosition(database: Database): () => Promise<Position> {
  let running: Promise<Position> | undefined;
  let next: Promise<Position> | undefined;
  const ask = async (): Promise<Position> => {
    try {
      const row = await withDeadline(database.get(ASK_LATEST), PATIENCE, () => undefined);
      return Number(row?.['position'] ?? LATEST);
    } catch {
      return LATEST;
    } finally {
      running = undefined;
    }
  };
  const askNext = (): Promise<Position> => {
    next = undefined;
    return (running = ask());
  };
  // What is under way may have been answered before the caller's write.
  return () => (running ? (next ??= running.then(askNext)) : askNext());
}
