/** What a schema lacks to make a request cheaper. */
import type { Context } from 'koa';
import { ASSUMED_ROWS } from '../../contract/costs.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import type { FeatureHost } from '../../http/feature.ts';
import * as state from '../../http/state.ts';
import { V4 } from '../../query/format.ts';
import { missingIndexes, type PriceBasis, priceRequest, type RequestPrice } from '../../query/price-request.ts';
import { type RequestedEntries, requestedEntries } from '../../query/requested-entries.ts';

type Host = Pick<FeatureHost<unknown>, 'definition' | 'database'>;

function basisOf({ definition: { contentTypes: types, api, costs }, database }: Host): PriceBasis {
  return { types, api, rows: costs?.rows ?? ASSUMED_ROWS, dialect: database.dialect.name };
}

/** Throws as the request would. */
export function priceOf(host: Host, ctx: Context, caller: Caller, request: RequestedEntries): RequestPrice {
  return priceRequest(basisOf(host), { caller, format: state.format.get(ctx) ?? V4 }, request);
}

/**
 * The line of the schema that would make the list in the address of a request cheaper; undefined if there is none. It names only what
 * the caller has named.
 */
export function missingLine(host: Host, ctx: Context, caller: Caller): string | undefined {
  const request = ctx.method === 'GET' ? requestedEntries(host.definition.contentTypes, ctx.url) : undefined;
  if (!request) return undefined;
  const price = priceOf(host, ctx, caller, request);
  if (price.advice?.search) return `\`search\` of ${request.type.uid}`;
  const missing = missingIndexes(price);
  return missing.length === 0 ? undefined : `\`indexes: [${missing.join(', ')}]\` of ${request.type.uid}`;
}
