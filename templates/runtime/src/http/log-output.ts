/** Writes log lines to a stream without blocking on a slow reader. */
import type { Writable } from 'node:stream';

export interface LogOutput {
  /** Writes a line, which includes its line feed. */
  write(line: string): void;
  /** Resolves when all lines are written, or after `timeout` milliseconds. */
  flush(timeout: number): Promise<void>;
}

/** Maximum number of buffered characters; further lines are dropped and counted. */
const MAX_PENDING = 4 * 1024 * 1024;

function lostLine(lost: number): string {
  const time = new Date().toISOString();
  return `${JSON.stringify({ level: 40, time, lost, msg: 'log lines were dropped: nothing was reading standard output' })}\n`;
}

/** Drops lines if the reader is too slow. A closed stream ends only the log, not the process. */
export function logOutput(stream: Writable, maxPending = MAX_PENDING): LogOutput {
  let lost = 0;
  let broken = false;
  stream.on('error', () => void (broken = true));
  const report = (): void => {
    if (lost === 0) return;
    stream.write(lostLine(lost));
    lost = 0;
  };
  return {
    write(line) {
      if (broken) return;
      if (stream.writableLength > maxPending) {
        lost += 1;
        return;
      }
      report();
      stream.write(line);
    },
    flush(timeout) {
      if (broken) return Promise.resolve();
      report();
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, timeout);
        // Called when all earlier writes have finished or failed.
        stream.write('', () => {
          clearTimeout(timer);
          resolve();
        });
      });
    },
  };
}
