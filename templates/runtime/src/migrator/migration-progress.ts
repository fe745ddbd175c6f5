/** Shows on a terminal which migration runs, and since when: one line that is written over, and erased. */
import type { LongPartListener, StepListener } from './migrate.ts';

export interface MigrationProgress {
  readonly onStep: StepListener;
  /** Leaves a line for each part that took long. */
  readonly onLongPart: LongPartListener;
  /** Erases the line, and ends. */
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
      // At once: while a statement of SQLite runs, no timer does.
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
