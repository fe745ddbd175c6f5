/**
 * Whether a database server still answers, asked over a connection of its own: a network that swallows packets says nothing on
 * the connections that wait, and neither does a statement that takes long.
 */
import { type Connection, ConnectionLost } from './connection.ts';
import { withDeadline } from './deadline.ts';
import type { Row } from './statement-runner.ts';
import type { Sql } from './sql.ts';

/** How long the server has to answer on a new connection, in milliseconds. */
const PROBE_TIMEOUT = 2500;
/** A timer that fires so late, in milliseconds, says that this process was busy, not that the server was silent. */
const BUSY_PROCESS = 500;

/** A connection as its server knows it. */
export interface ServerSession {
  /** Tells servers apart: behind a load balancer the probe may meet another one. */
  readonly server: string;
  readonly id: number;
}

/** What a probe found. Times are by `performance.now()`. */
type Finding =
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'unknown' }
  | {
      readonly kind: 'answered';
      readonly asked: number;
      readonly server: string;
      readonly active: ReadonlySet<number>;
    };

export interface Liveness {
  /** Asks the server once for all who ask at the same time. Never throws. */
  probe(): Promise<Finding>;
  /** How long connecting may take now, in milliseconds: not long while the server is known not to answer. */
  connectTimeout(): number;
  /** Has a connection been made, the server answers. */
  reached(): void;
}

export interface LivenessOptions {
  /** Opens a connection for a probe. `timeout` is in milliseconds. */
  readonly connect: (timeout: number) => Promise<Connection>;
  /** Reads which sessions work on a statement: rows of `server` and `id`, at least the one of the probe itself. */
  readonly activity: Sql;
  /** In milliseconds. */
  readonly connectTimeout: number;
}

/** The session that a row of `server` and `id` is about. */
export function sessionIn(row: Row | undefined): ServerSession | undefined {
  return row && { server: String(row['server']), id: Number(row['id']) };
}

export function createLiveness({ connect, activity, connectTimeout }: LivenessOptions): Liveness {
  const timeout = Math.min(connectTimeout, PROBE_TIMEOUT);
  let isDown = false;
  let running: Promise<Finding> | undefined;

  async function ask(): Promise<Finding> {
    const began = performance.now();
    let connection: Connection | undefined;
    let isLate = false;
    const answer = async (): Promise<Finding> => {
      connection = await connect(timeout);
      if (isLate) connection.destroy();
      const asked = performance.now();
      const { rows } = await connection.query(activity);
      const active = new Set(rows.map(({ id }) => Number(id)));
      return { kind: 'answered', asked, server: String(rows[0]?.['server']), active };
    };
    try {
      const found = await withDeadline(answer(), timeout, () => (isLate = true));
      isDown = false;
      return found;
    } catch (error) {
      const isNetwork = error instanceof ConnectionLost || isLate;
      // Any other error is an answer, too: too many connections, for example.
      if (!isNetwork || performance.now() - began > timeout + BUSY_PROCESS) return { kind: 'unknown' };
      isDown = true;
      return { kind: 'unreachable' };
    } finally {
      if (isLate) connection?.destroy();
      else void connection?.close();
    }
  }

  return {
    probe: () => (running ??= ask().finally(() => (running = undefined))),
    connectTimeout: () => (isDown ? timeout : connectTimeout),
    reached: () => void (isDown = false),
  };
}

/**
 * Whether a connection that waits may still be answered. False where the server is out of reach, or was found twice to do nothing
 * for the session, while nothing was received: what was sent, or its answer, is lost. `bytesRead` counts what was received.
 */
export function createHeartbeat(
  liveness: Liveness,
  session: ServerSession | undefined,
  bytesRead: () => number,
): () => Promise<boolean> {
  let idleAt: number | undefined;
  return async () => {
    const before = bytesRead();
    const began = performance.now();
    const found = await liveness.probe();
    if (bytesRead() !== before) return true;
    if (found.kind !== 'answered') return found.kind === 'unknown';
    const isKnown = session !== undefined && session.server === found.server && found.asked >= began;
    const isIdle = isKnown && !found.active.has(session.id);
    const wasIdle = idleAt === before;
    idleAt = isIdle ? before : undefined;
    return !(isIdle && wasIdle);
  };
}
