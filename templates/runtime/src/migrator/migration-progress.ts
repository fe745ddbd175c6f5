/** Shows on a terminal which migration runs and for how long: one line that is overwritten, and finally erased. */
import type { LongPartListener, StepListener } from './migrate.ts';

export interface MigrationProgress {
  readonly onStep: StepListener;
  /** Prints a line for each part that took long. */
  readonly onLongPart: LongPartListener;
  /** Erases the line and stops. */
  clear(): void;
}

/** In milliseconds. */
const INTERVAL = 1000;
const ERASE_LINE = '\r\u001B[K';

/** `write` writes to a terminal. */
export function showProgress(write: (text: string) => void): MigrationProgress {
  const start = performance.now();
  let current = 'Waiting for another process to migrate';
  let detail = '';
  const show = (): void => {
    const seconds = Math.floor((performance.now() - start) / 1000);
    write(`${ERASE_LINE}${current}${seconds > 0 ? `: ${seconds} s` : ''}${detail}`);
  };
  const timer = setInterval(show, INTERVAL);
  timer.unref();
  return {
    onStep({ name, number, total, direction }) {
      current = `${direction === 'up' ? 'Applying' : 'Undoing'} ${name} (${number} of ${total})`;
      // Immediately: no timer fires while SQLite runs a statement.
      show();
    },
    onLongPart({ what, seconds, isOver, progress }) {
      detail = isOver || progress === undefined ? '' : `, ${progress}`;
      if (isOver) write(`${ERASE_LINE}${what}: ${seconds} s\n`);
      show();
    },
    clear() {
      clearInterval(timer);
      write(ERASE_LINE);
    },
  };
}
