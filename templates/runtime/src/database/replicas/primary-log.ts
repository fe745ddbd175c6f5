/** Where the log of the server that is written to was, and when: by it the delay of a replica is known in milliseconds. */
import type { Position } from '../../base/read-point.ts';

interface Sample {
  /** By `performance.now()`: all that was done by then is before `position`. */
  readonly at: number;
  readonly position: Position;
}

export interface PrimaryLog {
  add(sample: Sample): void;
  /** Undefined until the first sample. */
  latest(): Sample | undefined;
  /**
   * How much older than the latest sample a state is, in milliseconds; Infinity: more than the log remembers. A server that is not
   * heard makes nothing older.
   */
  delayOf(position: Position): number;
}

/** `memory` is in milliseconds. */
export function createPrimaryLog(memory: number): PrimaryLog {
  const samples: Sample[] = [];
  return {
    add(sample) {
      const last = samples.at(-1);
      // While nothing is written, one sample is enough: the state of its position is as new as the newest.
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
