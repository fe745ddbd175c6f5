/** Counts what a request costs, and stops it before it costs more than its caller may spend. */

/** What a compiled query costs, in the units of `query/cost.ts`. */
export interface Priced {
  /** Undefined if costs are not counted. */
  readonly cost?: (() => number) | undefined;
}

/** The meter of one request. */
export interface CostMeter {
  /**
   * Charges the caller. Throws HttpError 429 if the caller has spent its budget, and BadRequestError for more than the whole of it. Not
   * to be called within a transaction: what is spent may be written to the database.
   */
  charge(cost: number): Promise<void>;
  /** Plans a query, and charges the caller for it. `further`: what it costs in addition. Throws as `charge` does. */
  planned<Plan extends { readonly compiled: Priced }>(plan: () => Plan, further?: number): Promise<Plan>;
}
