/** `GET /api/_costs?of=/api/articles?sort=title`: what a request would cost the caller. */
import type { Context } from 'koa';
import { BadRequestError } from '../../contract/errors.ts';
import type { COST_ROUTES } from '../../contract/routes/costs.ts';
import type { FeatureHost } from '../../http/feature.ts';
import type { Handlers, IdsOf } from '../../http/mount-routes.ts';
import { PRIVATE } from '../../http/reply.ts';
import { callerOf } from '../../http/request.ts';
import { MAX_LENGTH } from '../../query/parse-query-string.ts';
import { missingIndexes } from '../../query/price-request.ts';
import { requestedEntries } from '../../query/requested-entries.ts';
import { priceOf } from './lower-cost.ts';

export function costHandlers(
  host: Pick<FeatureHost<unknown>, 'definition' | 'database'>,
): Handlers<IdsOf<typeof COST_ROUTES>> {
  const types = host.definition.contentTypes;
  return {
    findCost(ctx: Context) {
      const path = new URLSearchParams(ctx.querystring).get('of') ?? '';
      const request = path.length > MAX_LENGTH ? undefined : requestedEntries(types, path);
      if (!request) {
        throw new BadRequestError(
          'Invalid parameter of: it must be the path and query of a GET request for entries, such as /api/articles?sort=title, percent-encoded',
        );
      }
      const price = priceOf(host, ctx, callerOf(ctx), request);
      const { cost, rows, scans, advice } = price;
      ctx.set('Cache-Control', PRIVATE);
      ctx.body = {
        data: { cost, rows, scans, missing: missingIndexes(price), notes: advice?.notes ?? [] },
        meta: {},
      };
    },
  };
}
