/** Stores the outcomes of tries: those that end while others are being stored are stored together. */
import type { Database } from '../../database/database.ts';
import { type Outcome, settle } from './outbox-rows.ts';

/** How many are stored in one transaction. */
const AT_ONCE = 50;

interface Waiting {
  readonly outcome: Outcome;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export function createSettlement(database: Database): { add(outcome: Outcome): Promise<void> } {
  let waiting: Waiting[] = [];
  let isStoring = false;

  async function store(): Promise<void> {
    isStoring = true;
    while (waiting.length > 0) {
      const some = waiting.slice(0, AT_ONCE);
      waiting = waiting.slice(AT_ONCE);
      try {
        await settle(
          database,
          some.map(({ outcome }) => outcome),
        );
        for (const { resolve } of some) resolve();
      } catch (error) {
        for (const { reject } of some) reject(error);
      }
    }
    isStoring = false;
  }

  return {
    add: (outcome) =>
      new Promise((resolve, reject) => {
        waiting.push({ outcome, resolve, reject });
        if (!isStoring) void store();
      }),
  };
}
