/** Progress of long-running work: one line that is overwritten in place, only on a terminal. */
import type { Output } from './io.ts';

export interface Progress {
  report(what: string, done: number, total: number): void;
  /** Erases the line. */
  clear(): void;
}

/** In milliseconds. Work that finishes before the first report shows nothing. */
const FIRST_REPORT = 1000;
const INTERVAL = 100;
const ERASE_LINE = '\r\u001B[K';

export function createProgress(output: Output): Progress {
  if (output.isTTY !== true) return { report() {}, clear() {} };
  let next = performance.now() + FIRST_REPORT;
  let isShown = false;
  return {
    report(what, done, total) {
      if (performance.now() < next) return;
      next = performance.now() + INTERVAL;
      isShown = true;
      output.write(`${ERASE_LINE}${what}: ${done} of ${total}`);
    },
    clear() {
      if (isShown) output.write(ERASE_LINE);
      isShown = false;
    },
  };
}
