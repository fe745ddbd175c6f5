/**
 * What callers have spent in the current minute. All processes of a server count together, but not each request is written to the
 * database: a process takes a slice of the budget at a time, and spends it in memory. So a caller never spends more than its budget; if its
 * requests reach several processes, what is left of a slice in one of them can't be spent in another.
 */
import { LRUCache } from 'lru-cache';
import { tooManyRequests } from '../../base/too-many-requests.ts';
import { BadRequestError } from '../../contract/errors.ts';
import type { AttemptCounter } from '../../http/limits/attempt-counter.ts';

const WINDOW_SECONDS = 60;
/** How many slices a budget has. */
const SLICES = 20;
/** How many callers are remembered. What is left of the slice of another one is lost. */
const MAX_CALLERS = 50_000;

/** 400: a request costs more than the whole budget of its caller. */
export class OverBudgetError extends BadRequestError {
  readonly cost: number;
  readonly budget: number;

  /** `further`: what else would help. */
  constructor(cost: number, budget: number, further = '') {
    super(
      `The request costs ${cost}, more than the ${budget} that its caller may spend in a minute: ask for fewer entries, populate less, or filter by an attribute with an index${further}`,
    );
    this.cost = cost;
    this.budget = budget;
  }
}

/** Whose budget it is, and how much may be spent per minute. */
export interface Account {
  readonly name: string;
  readonly budget: number;
}

/** What this process has of an account's budget. */
interface Purse {
  left: number;
  /** Whether there is no more to take. */
  isEmpty: boolean;
  /** When the window ends, in milliseconds since 1970. */
  readonly endsAt: number;
}

export interface Ledger {
  /** Throws HttpError 429 with `Retry-After` if the budget is spent, and OverBudgetError for more than the whole of it. */
  spend(account: Account, cost: number): Promise<void>;
}

/** `clock` returns the time in milliseconds since 1970. */
export function createLedger(counter: AttemptCounter, clock: () => number = Date.now): Ledger {
  const purses = new LRUCache<string, Purse>({ max: MAX_CALLERS });

  function purseOf(name: string): Purse | undefined {
    const purse = purses.get(name);
    return purse && purse.endsAt > clock() ? purse : undefined;
  }

  /** Takes at least `needed` from the common budget, or what is left of it. */
  async function take({ name, budget }: Account, needed: number): Promise<Purse> {
    const wanted = Math.max(needed, Math.ceil(budget / SLICES));
    const { attempts: taken, endsIn } = await counter.add(`cost ${name}`, WINDOW_SECONDS, wanted);
    const given = Math.max(0, Math.min(wanted, budget - (taken - wanted)));
    const known = purseOf(name);
    const purse = known ?? { left: 0, isEmpty: false, endsAt: clock() + endsIn };
    purse.left += given;
    purse.isEmpty ||= taken >= budget;
    if (!known) purses.set(name, purse);
    return purse;
  }

  return {
    async spend(account, cost) {
      const { name, budget } = account;
      if (cost > budget) throw new OverBudgetError(cost, budget);
      let purse = purseOf(name);
      // Meanwhile, other requests may spend what was taken.
      while (!purse || (purse.left < cost && !purse.isEmpty)) purse = await take(account, cost - (purse?.left ?? 0));
      if (purse.left < cost) {
        const wait = Math.max(1, purse.endsAt - clock());
        throw tooManyRequests(
          wait,
          `The request costs ${cost}, and its caller may spend ${budget} in a minute, of which ${purse.left} are left: repeat it in ${Math.ceil(wait / 1000)} s`,
        );
      }
      purse.left -= cost;
    },
  };
}
