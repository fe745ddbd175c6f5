/** Counts refusals, so that whoever is refused again and again makes one row a minute, not one each time. */
import type { Doer } from './actor.ts';

export interface Refusal {
  readonly event: string;
  readonly permission: string | undefined;
  readonly by: Omit<Doer, 'requestId'>;
  count: number;
}

export interface Refusals {
  count(refusal: Omit<Refusal, 'count'>): void;
  /** Those since the last call. */
  take(): readonly Refusal[];
}

/** Of more callers and permissions, only the number of refusals is known. */
const MOST = 1000;

export function createRefusals(): Refusals {
  let counts = new Map<string, Refusal>();
  const add = (refusal: Omit<Refusal, 'count'>): void => {
    const { event, permission, by } = refusal;
    const key = JSON.stringify([event, permission, by.actor, by.address]);
    const found = counts.get(key);
    if (found) found.count += 1;
    else counts.set(key, { ...refusal, count: 1 });
  };
  return {
    count(refusal) {
      if (counts.size < MOST) return add(refusal);
      add({ event: refusal.event, permission: undefined, by: { actor: { kind: 'public' }, address: undefined } });
    },
    take() {
      const taken = [...counts.values()];
      counts = new Map();
      return taken;
    },
  };
}
