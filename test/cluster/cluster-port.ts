/**
 * Ports for database nodes, which listen again after they were down. They are below the ephemeral range, from which the system takes
 * the ports of outgoing connections: one of these may have the port of a node that is down.
 */
import { createServer } from 'node:net';

const FIRST = 20_000;
const COUNT = 10_000;
/** Clusters of concurrent runs begin at different ports. */
let next = (process.pid * 37) % COUNT;

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

/** Returns another port at each call. Throws if all are taken. */
export async function clusterPort(): Promise<number> {
  for (let tries = 0; tries < COUNT; tries += 1) {
    const port = FIRST + next;
    next = (next + 1) % COUNT;
    if (await isFree(port)) return port;
  }
  throw new Error(`no port from ${FIRST} to ${FIRST + COUNT - 1} is free`);
}
