/** Positions in PostgreSQL's write-ahead log (LSNs). */
import { LATEST, type Position } from '../../base/read-point.ts';
import type { Connection } from '../connection.ts';
import type { Database } from '../database.ts';
import type { Row } from '../statement-runner.ts';
import { withDeadline } from '../deadline.ts';
import { raw } from '../sql.ts';

const START = "'0/0'::pg_lsn";

/**
 * The position up to which a server has replayed or written the log. For the primary this is not the insert position, which
 * may lie after a page header: no replica ever replays up to there.
 */
const REACHED = 'CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END';

export const STATE_QUERY = raw(
  `SELECT (${REACHED} - ${START})::bigint AS position, ` +
    `(GREATEST(${REACHED}, pg_last_wal_receive_lsn()) - ${START})::bigint AS visible, ` +
    'pg_is_in_recovery() AS replica',
);

/** A position after everything visible by now, even with `synchronous_commit = off`. */
const ASK_LATEST = raw(`SELECT (pg_current_wal_insert_lsn() - ${START})::bigint AS position`);

export interface ServerState {
  /** Everything up to here is visible. */
  readonly position: Position;
  /**
   * Nothing after this is visible on a replica. It is the position that was received: a commit that is being replayed is visible
   * slightly before it counts as replayed.
   */
  readonly visible: Position;
  /** Whether it replicates a different server. */
  readonly isReplica: boolean;
}

/** The state in a row of `STATE_QUERY`. */
export function stateIn(row: Row | undefined): ServerState {
  const { position = 0, visible = 0, replica } = row ?? {};
  return { position: Number(position), visible: Number(visible), isReplica: replica === 1 };
}

export async function stateOf(connection: Connection): Promise<ServerState> {
  const { rows } = await connection.query(STATE_QUERY);
  return stateIn(rows[0]);
}

/** How long to wait for the position of a completed write, in milliseconds. */
const PATIENCE = 1000;

/**
 * Returns the current log position, after everything done before the call; LATEST if it can't be determined. Callers that
 * arrive during a query share the next one.
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
  // A running query may have read the position before the caller's write.
  return () => (running ? (next ??= running.then(askNext)) : askNext());
}
