/** Identifies the process that owns a file by a part of the file name, so that a later process can clean up after a crash. */
import { createHash } from 'node:crypto';
import { hostname } from 'node:os';

/** Matches the identity of a process within a name. */
export const PROCESS_IDENTITY = /(?<identity>[0-9a-f]{8}-\d{1,10})/u;

function hostHash(): string {
  return createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
}

/** The identity of this process on this host: `1b2c3d4e-4711`. */
export function processIdentity(): string {
  return `${hostHash()}-${process.pid}`;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Whether an identity belongs to a process of this host that has ended. Not to be called for this process's own files: an
 * identity with its process id is taken for that of an earlier process, as in a restarted container.
 */
export function isOfEarlierProcess(identity: string): boolean {
  const [host, pid] = identity.split('-');
  return host === hostHash() && (Number(pid) === process.pid || !isRunning(Number(pid)));
}
