/** Marks in file names that identify the process that owns the file, so that a later process can clean up after a crash. */
import { createHash } from 'node:crypto';
import { hostname } from 'node:os';

/** The form of a mark within a name. */
export const PROCESS_MARK = /(?<mark>[0-9a-f]{8}-\d{1,10})/u;

function hostMark(): string {
  return createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
}

/** The mark of this process on this host: `1b2c3d4e-4711`. */
export function processMark(): string {
  return `${hostMark()}-${process.pid}`;
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
 * Whether a mark belongs to a process of this host that has ended. Not to be called for this process's own files: a mark with its
 * process id is taken for one of an earlier process, as in a restarted container.
 */
export function isOfEarlierProcess(mark: string): boolean {
  const [host, pid] = mark.split('-');
  return host === hostMark() && (Number(pid) === process.pid || !isRunning(Number(pid)));
}
