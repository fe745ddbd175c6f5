/** A time that parts what was written before from what is written after. */
import { setImmediate } from 'node:timers/promises';

/** Resolves with a time, in ISO 8601, that is not before any finished write, once it has passed. */
export async function passedMoment(): Promise<string> {
  const time = Date.now() + 1;
  while (Date.now() <= time) await setImmediate();
  return new Date(time).toISOString();
}
