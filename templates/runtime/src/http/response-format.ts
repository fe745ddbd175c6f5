/** `Strapi-Response-Format`: the header that selects the format of request and response. */
import type { Middleware } from 'koa';
import type { ApiSettings } from '../contract/content-type.ts';
import { NO_ENTRY } from '../query/answer.ts';
import { formatOf, V4 } from '../query/format.ts';
import { isCookieAuthenticated } from './page-request.ts';
import { format } from './state.ts';

const HEADER = 'Strapi-Response-Format';

/** Undefined if the server has only the v4 format with `meta` in all entries. Unknown formats are ignored. */
export function responseFormat(api: ApiSettings, hasPage: boolean): Middleware | undefined {
  const isSelectable = api.format !== undefined;
  if (!isSelectable && api.entryMeta === undefined) return undefined;
  return async (ctx, next) => {
    if (isSelectable) ctx.vary(HEADER);
    const wanted = ctx.get(HEADER).trim();
    // The default of the admin page is v4, whatever that of the server is.
    format.set(ctx, wanted === '' && hasPage && isCookieAuthenticated(ctx) ? V4 : formatOf(api, wanted));
    await next();
    if (ctx.method === 'DELETE' && ctx.body === NO_ENTRY.body) ctx.status = 204;
  };
}
