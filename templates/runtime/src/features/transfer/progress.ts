/** Progress of a long-running command: one updated line on a terminal, elsewhere a line per second. */

import type { Progress } from '../../contract/content-transfer.ts';

/** Usually stderr, so that stdout contains only the results. */
export interface ProgressOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Minimum time between two reports, in milliseconds. */
const TERMINAL_INTERVAL = 200;
const LOG_INTERVAL = 1000;
const ERASE_LINE = '\r\u001B[K';

/** Work that ends within the first interval reports nothing. */
export function createProgress(output: ProgressOutput): Progress {
  const isTerminal = output.isTTY === true;
  const interval = isTerminal ? TERMINAL_INTERVAL : LOG_INTERVAL;
  let last = performance.now();
  let isShown = false;
  return {
    report(what, done, total) {
      if (performance.now() - last < interval) return;
      last = performance.now();
      const text = total === undefined ? `${what}: ${done}` : `${what}: ${done} of ${total}`;
      output.write(isTerminal ? `${ERASE_LINE}${text}` : `${text}\n`);
      isShown = isTerminal;
    },
    clear() {
      if (isShown) output.write(ERASE_LINE);
      isShown = false;
    },
  };
}
