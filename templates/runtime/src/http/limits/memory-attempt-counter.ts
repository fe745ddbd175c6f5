/** Counts attempts in memory: enough for a single process, as on SQLite. */
import type { AttemptCounter } from './attempt-counter.ts';

/** How many names are counted per window length, with a few hundred bytes each. Beyond, the window that began first ends early. */
const MAX_NAMES = 50_000;

interface Count {
  attempts: number;
  /** In milliseconds since 1970. */
  readonly end: number;
}

/** `clock` returns the time in milliseconds since 1970. */
export function memoryAttemptCounter(clock: () => number = Date.now): AttemptCounter {
  /** Window length, in seconds → name → count. Windows of one length end in the order in which they began, which is that of a map. */
  const counts = new Map<number, Map<string, Count>>();

  function countsOf(seconds: number): Map<string, Count> {
    const known = counts.get(seconds) ?? new Map<string, Count>();
    counts.set(seconds, known);
    return known;
  }

  /** Ends windows whose time is over, and makes room for one more. */
  function endWindows(known: Map<string, Count>, now: number): void {
    for (const [name, { end }] of known) {
      if (end > now && known.size < MAX_NAMES) return;
      known.delete(name);
    }
  }

  return {
    add(name, seconds, by = 1) {
      const now = clock();
      const known = countsOf(seconds);
      endWindows(known, now);
      const count = known.get(name) ?? { attempts: 0, end: now + seconds * 1000 };
      count.attempts += by;
      known.set(name, count);
      return Promise.resolve({ attempts: count.attempts, endsIn: Math.max(1, count.end - now) });
    },
    reset(name) {
      for (const known of counts.values()) known.delete(name);
      return Promise.resolve();
    },
  };
}
