/** `Strapi-Response-Format`: in which format a request is made and answered. */
import type { Context, Middleware } from 'koa';
import type { ApiSettings } from '../contract/content-type.ts';
import { NO_ENTRY } from '../query/answer.ts';
import { formatOf, V4 } from '../query/format.ts';
import { format } from './state.ts';

const HEADER = 'Strapi-Response-Format';

/** Of requests that count by the cookie of the admin page. The page speaks v4, whatever the format of its server. */
const OF_PAGE = 'X-Admin-Session';

function isOfPage(ctx: Context): boolean {
  return ctx.get(OF_PAGE) === '1' && ctx.get('Authorization') === '';
}

/** Undefined where the server has one format only. Other words than the names of formats are ignored. */
export function responseFormat({ format: standard }: ApiSettings, hasPage: boolean): Middleware | undefined {
  if (standard === undefined) return undefined;
  return async (ctx, next) => {
    ctx.vary(HEADER);
    format.set(ctx, hasPage && isOfPage(ctx) ? V4 : formatOf(standard, ctx.get(HEADER).trim()));
    await next();
    if (ctx.method === 'DELETE' && ctx.body === NO_ENTRY.body) ctx.status = 204;
  };
}
