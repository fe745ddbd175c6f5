/** The progress of an import: what is being done, how much of it, and how long it will take. */
import type { TransferContext } from '../context.ts';

export interface Stages {
  /** Begins a stage; what it answers is called after one, or several, of `total` steps. Throws once the import is aborted. */
  begin(what: string, total: number): (steps?: number) => void;
}

/** How often progress is looked at, in steps. */
const INTERVAL = 64;

function timeLeft(done: number, total: number, since: number): string {
  if (done === 0 || total <= done) return '';
  const seconds = Math.ceil((((performance.now() - since) / done) * (total - done)) / 1000);
  return seconds < 100 ? `, about ${seconds} s left` : `, about ${Math.ceil(seconds / 60)} min left`;
}

export function createStages({ progress, signal }: Pick<TransferContext, 'progress' | 'signal'>): Stages {
  return {
    begin(what, total) {
      const since = performance.now();
      let done = 0;
      return (steps = 1) => {
        done += steps;
        if (done % INTERVAL >= steps) return;
        signal.throwIfAborted();
        progress.report(`${what}${timeLeft(done, total, since)}`, done, total);
      };
    },
  };
}
