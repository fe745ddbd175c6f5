/** Compiled queries with what they cost. */
import type { Client } from '../base/client.ts';
import type { Priced } from '../base/cost/meter.ts';
import type { CostBasis } from './cost.ts';

/** Plans a query; charges the caller for it if costs are counted. */
export function planned<Plan extends { readonly compiled: Priced }>(
  client: Client | undefined,
  plan: () => Plan,
  further?: number,
): Plan | Promise<Plan> {
  const meter = client?.meter;
  return meter ? meter.planned(plan, further) : plan();
}

/** Computes a cost once it is asked for. */
export function pricedBy<Query>(
  basis: CostBasis | undefined,
  of: (query: Query, basis: CostBasis) => number,
  query: Query,
) {
  if (!basis) return undefined;
  let cost: number | undefined;
  return () => (cost ??= of(query, basis));
}
