/**
 * Whether a database server is still alive, checked over a separate connection: a waiting connection looks the same when the
 * network drops packets as when a statement takes long.
 */
import { type Connection, ConnectionLost } from './connection.ts';
import { withDeadline } from './deadline.ts';
import type { Row } from './statement-runner.ts';
import type { Sql } from './sql.ts';

/** How long the server has to respond on a new connection, in milliseconds. */
const PROBE_TIMEOUT = 2500;
/** A timer that fires this late, in milliseconds, means that this process was busy, not that the server was silent. */
const BUSY_PROCESS = 500;

/** How the server identifies a connection. */
export interface ServerSession {
  /** Identifies the server: behind a load balancer, the probe may reach a different one. */
  readonly server: string;
  readonly id: number;
}

/** The result of a probe. Times are those of `performance.now()`. */
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
  /** Probes the server; concurrent callers share one probe. Never throws. */
  probe(): Promise<Finding>;
  /** How long connecting may take now, in milliseconds: shorter while the server is known to be down. */
  connectTimeout(): number;
  /** Records that a connection was made, so the server is up. */
  reached(): void;
}

export interface LivenessOptions {
  /** Opens a connection for a probe. `timeout` is in milliseconds. */
  readonly connect: (timeout: number) => Promise<Connection>;
  /** Selects the sessions that are running a statement: rows of `server` and `id`, including at least the probe's own. */
  readonly activity: Sql;
  /** In milliseconds. */
  readonly connectTimeout: number;
}

/** The session described by a row of `server` and `id`. */
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
      // Any other error, such as too many connections, is a response too.
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
 * Whether a waiting connection may still get a response. False if the server is unreachable, or if two probes found the
 * session idle while nothing was received: then the statement or its response is lost. `bytesRead` returns the number of
 * bytes received so far.
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
