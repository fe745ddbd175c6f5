/** The progress of an import: the current stage, completed steps, and estimated time left. */
import type { ProjectContent } from '#contract/content-transfer.ts';

export interface Stages {
  /** Begins a stage of `total` steps. Call the returned function after one or several steps; it throws once the import is aborted. */
  begin(what: string, total: number): (steps?: number) => void;
}

/** Number of steps between reports and checks for an abort. */
const INTERVAL = 64;

function timeLeft(done: number, total: number, since: number): string {
  if (done === 0 || total <= done) return '';
  const seconds = Math.ceil((((performance.now() - since) / done) * (total - done)) / 1000);
  return seconds < 100 ? `, about ${seconds} s left` : `, about ${Math.ceil(seconds / 60)} min left`;
}

export function createStages({ progress, signal }: Pick<ProjectContent, 'progress' | 'signal'>): Stages {
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
