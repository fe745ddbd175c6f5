/** A history of the primary's log positions, which turns a replica's position into a lag in milliseconds. */
import type { Position } from '../../base/read-point.ts';

interface Sample {
  /** By `performance.now()`: everything done by then is before `position`. */
  readonly at: number;
  readonly position: Position;
}

export interface PrimaryLog {
  add(sample: Sample): void;
  /** Undefined until the first sample. */
  latest(): Sample | undefined;
  /**
   * How much older than the latest sample a state is, in milliseconds; Infinity if it is older than the history. If the
   * primary does not respond, states do not age.
   */
  delayOf(position: Position): number;
}

/** `memory`: the length of the history in milliseconds. */
export function createPrimaryLog(memory: number): PrimaryLog {
  const samples: Sample[] = [];
  return {
    add(sample) {
      const last = samples.at(-1);
      // While nothing is written, one sample is enough: a replica at its position is fully up to date.
      if (last?.position === sample.position) samples.pop();
      samples.push(sample);
      while (samples[1] && samples[1].at < sample.at - memory) samples.shift();
    },
    latest: () => samples.at(-1),
    delayOf(position) {
      const latest = samples.at(-1);
      const reached = samples.findLast((sample) => sample.position <= position);
      return latest && reached ? latest.at - reached.at : Infinity;
    },
  };
}
