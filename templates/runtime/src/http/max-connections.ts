/** How many connections a server takes at once, so that they never use up the descriptors that it opens files with. */
import { readdirSync, readFileSync } from 'node:fs';

/** Of the descriptors that are free when a server begins to listen; the rest is for files and for the database. */
const SHARE_OF_CONNECTIONS = 0.75;

/** Undefined where the system does not say what a process may open: only Linux does, in `/proc`. */
export function maxConnections(): number | undefined {
  try {
    const limit = /^Max open files\s+(\d+)/mu.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    const free = Number(limit) - readdirSync('/proc/self/fd').length;
    return free > 0 ? Math.max(1, Math.floor(free * SHARE_OF_CONNECTIONS)) : undefined;
  } catch {
    return undefined;
  }
}
