/** Where log lines go: standard output, without ever waiting for whoever reads it. */
import type { Writable } from 'node:stream';

export interface LogOutput {
  /** Takes a line with its line feed. */
  write(line: string): void;
  /** Resolves when all lines are written, or after `timeout` milliseconds. */
  flush(timeout: number): Promise<void>;
}

/** Characters that wait for a reader; what comes on top is counted and dropped. */
const MOST_PENDING = 4 * 1024 * 1024;

function lostLine(lost: number): string {
  const time = new Date().toISOString();
  return `${JSON.stringify({ level: 40, time, lost, msg: 'log lines were dropped: nobody read standard output' })}\n`;
}

/** Lines that nobody reads are dropped rather than kept for ever, and a reader that is gone ends nothing but the log. */
export function logOutput(stream: Writable, mostPending = MOST_PENDING): LogOutput {
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
      if (stream.writableLength > mostPending) {
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
        // Called when all that was written before is through, or has failed.
        stream.write('', () => {
          clearTimeout(timer);
          resolve();
        });
      });
    },
  };
}
