/** Tells how far long work is: on a terminal as one line that changes, elsewhere as a line now and then. */

/** Where it is told: stderr, so that results stay apart. */
export interface ProgressOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface Progress {
  /** `done` of `total` are done; undefined: nobody knows of how many. */
  report(what: string, done: number, total?: number): void;
  /** Takes the line away. */
  clear(): void;
}

/** In milliseconds. */
const PAUSE_ON_TERMINAL = 200;
const PAUSE_ELSEWHERE = 1000;
const ERASE_LINE = '\r\u001B[K';

/** Nothing is told of work that is over at once. */
export function createProgress(output: ProgressOutput): Progress {
  const isTerminal = output.isTTY === true;
  const pause = isTerminal ? PAUSE_ON_TERMINAL : PAUSE_ELSEWHERE;
  let last = performance.now();
  let isShown = false;
  return {
    report(what, done, total) {
      if (performance.now() - last < pause) return;
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
