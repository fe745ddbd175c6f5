/** The meter of one request. */
import type { CostMeter, Priced } from '../../base/cost/meter.ts';
import type { Timing } from '../../http/timings.ts';
import type { Account, Ledger } from './ledger.ts';

export class RequestMeter implements CostMeter {
  readonly #ledger: Ledger;
  readonly #account: Account | undefined;
  readonly #timing: Timing | undefined;
  /** What the request has cost so far; undefined if nothing was charged. */
  cost: number | undefined;

  /** Without an account nothing is limited, without a timing nothing is measured. */
  constructor(ledger: Ledger, account: Account | undefined, timing: Timing | undefined) {
    this.#ledger = ledger;
    this.#account = account;
    this.#timing = timing;
  }

  async charge(cost: number): Promise<void> {
    this.cost = (this.cost ?? 0) + cost;
    if (this.#account) await this.#ledger.spend(this.#account, cost);
  }

  async planned<Plan extends { readonly compiled: Priced }>(plan: () => Plan, further = 0): Promise<Plan> {
    const planned = this.#timing ? measuredPlan(this.#timing, plan) : plan();
    const cost = planned.compiled.cost?.();
    if (cost !== undefined) await this.charge(cost + further);
    return planned;
  }
}

function measuredPlan<Plan>(timing: Timing, plan: () => Plan): Plan {
  const started = performance.now();
  // Statements before the first query read the caller, or what its rules need.
  timing.parse ??= started - timing.started - timing.read;
  try {
    return plan();
  } finally {
    timing.plan += performance.now() - started;
  }
}
