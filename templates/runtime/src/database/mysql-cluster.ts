/** Nodes of a Galera cluster: how one is known, whether it takes part, and how it catches up with the others. */
import { type Connection, ServerNotReady, ServerUnavailable } from './connection.ts';
import type { Executor } from './executor.ts';
import type { Result } from './write-plan.ts';
import { raw } from './sql.ts';

const SETTINGS = raw("SHOW GLOBAL VARIABLES WHERE Variable_name IN ('wsrep_on', 'wsrep_provider')");
const READY = raw("SHOW GLOBAL STATUS LIKE 'wsrep_ready'");

/** Answered once all is there that was committed before, on whichever node. */
export const CATCH_UP = raw('SET STATEMENT wsrep_sync_wait = 1 FOR SELECT 1');

/** Whether a server is a node of a cluster. Servers that can't be one know no such variables. */
export async function isClusterNode(connection: Connection): Promise<boolean> {
  const { rows } = await connection.query(SETTINGS);
  const settings = new Map(rows.map((row) => [String(row['Variable_name']), String(row['Value'])]));
  return settings.get('wsrep_on') === 'ON' && (settings.get('wsrep_provider') ?? 'none') !== 'none';
}

/** Throws ServerNotReady where a node is cut off from the others, or only joins them: it answers nothing. */
export async function requireReady(connection: Connection): Promise<void> {
  const { rows } = await connection.query(READY);
  if (rows[0]?.['Value'] !== 'ON') throw new ServerNotReady(new Error('the node takes no part in its cluster'));
}

/**
 * Has a node catch up, as long as the cluster lets it wait for that (`repl.causal_read_timeout`). Throws ServerNotReady where it does not
 * get there: it may have been cut off.
 */
export async function caughtUp(connection: Connection): Promise<Result> {
  try {
    return await connection.query(CATCH_UP);
  } catch (error) {
    if (!(error instanceof ServerUnavailable)) throw error;
    connection.destroy();
    throw new ServerNotReady(error);
  }
}

/**
 * Waits until a node has all that was committed before, on whichever one. Those who come while it waits are answered together by one
 * more statement: however far behind the node is, they need one connection.
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
