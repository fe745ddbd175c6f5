/** Limits the number of connections, so that file descriptors are left for files and the database. */
import { readdirSync, readFileSync } from 'node:fs';

/** The share of the descriptors that are free when the server starts to listen. */
const SHARE_OF_CONNECTIONS = 0.75;

/** Undefined if the limit of open files is not known: only Linux has it, in `/proc`. */
export function maxConnections(): number | undefined {
  try {
    const limit = /^Max open files\s+(\d+)/mu.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    const free = Number(limit) - readdirSync('/proc/self/fd').length;
    return free > 0 ? Math.max(1, Math.floor(free * SHARE_OF_CONNECTIONS)) : undefined;
  } catch {
    return undefined;
  }
}
