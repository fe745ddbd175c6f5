/** Nodes of a Galera cluster: how they are recognized, whether they are ready, and how they catch up with the others. */
import { type Connection, ServerNotReady, ServerUnavailable } from './connection.ts';
import type { Executor } from './executor.ts';
import type { Result } from './write-plan.ts';
import { raw } from './sql.ts';

const SETTINGS = raw("SHOW GLOBAL VARIABLES WHERE Variable_name IN ('wsrep_on', 'wsrep_provider')");
const READY = raw("SHOW GLOBAL STATUS LIKE 'wsrep_ready'");

/** Returns once the node has applied everything committed before, on any node. */
export const CATCH_UP = raw('SET STATEMENT wsrep_sync_wait = 1 FOR SELECT 1');

/** Whether a server is a node of a cluster. Other servers have no such variables. */
export async function isClusterNode(connection: Connection): Promise<boolean> {
  const { rows } = await connection.query(SETTINGS);
  const settings = new Map(rows.map((row) => [String(row['Variable_name']), String(row['Value'])]));
  return settings.get('wsrep_on') === 'ON' && (settings.get('wsrep_provider') ?? 'none') !== 'none';
}

/** Throws ServerNotReady if a node is cut off from the others or still joining: then it answers no queries. */
export async function requireReady(connection: Connection): Promise<void> {
  const { rows } = await connection.query(READY);
  if (rows[0]?.['Value'] !== 'ON') {
    throw new ServerNotReady(new Error('the node is not a ready member of its cluster (wsrep_ready is not ON)'));
  }
}

/**
 * Has a node catch up, for as long as the cluster lets it wait (`repl.causal_read_timeout`). Throws ServerNotReady if it
 * does not: it may be cut off.
 */
export async function catchUpNode(connection: Connection): Promise<Result> {
  try {
    return await connection.query(CATCH_UP);
  } catch (error) {
    if (!(error instanceof ServerUnavailable)) throw error;
    connection.destroy();
    throw new ServerNotReady(error);
  }
}

/**
 * Waits until a node has applied everything committed before, on any node. Callers that arrive during a wait share the next
 * statement: however far behind the node is, they need one connection.
 */
export function createCatchUp(node: Executor): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= (async () => {
      await running.catch(() => undefined);
      const asked = node.get(CATCH_UP);
      [running, next] = [asked, undefined];
      await asked;
    })();
    return next;
  };
}
