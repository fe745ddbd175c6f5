/** When a message is sent again. */
import { varied } from '../../base/varied.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** For how long a message is sent again. */
export const TRIED_FOR = 72 * HOUR;

/** After the first try, the second one, and so on; the last one is repeated. */
const WAITS = [5 * SECOND, 30 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR];

/** The longest time that a receiver may ask for. */
const MAX_ASKED = HOUR;

/** A receiver is left alone after so many failures in a row, for at most so long. */
export const MANY_FAILURES = 5;
const MAX_PAUSE = 15 * MINUTE;

/** After `attempts` tries, of which the last has failed. */
export function waitAfter(attempts: number, random: () => number = Math.random): number {
  return varied(WAITS[Math.min(attempts, WAITS.length) - 1] ?? SECOND, random);
}

/** For how long a receiver is left alone after failures in a row; 0 if they are few. */
export function pauseAfter(failures: number, random: () => number = Math.random): number {
  if (failures < MANY_FAILURES) return 0;
  return varied(Math.min(MAX_PAUSE, 5 * SECOND * 2 ** Math.min(failures - MANY_FAILURES, 20)), random);
}

/** What `Retry-After` asks for: seconds or a date; 0 if it is absent or invalid. */
export function askedWait(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return 0;
  const text = retryAfter.trim();
  const wait = /^\d{1,9}$/u.test(text) ? Number(text) * SECOND : Date.parse(text) - now;
  return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), MAX_ASKED) : 0;
}
