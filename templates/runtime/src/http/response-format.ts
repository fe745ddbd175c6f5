/** `Strapi-Response-Format`: in which format a request is made and answered. */
import type { Middleware } from 'koa';
import type { ApiSettings } from '../contract/content-type.ts';
import { NO_ENTRY } from '../query/answer.ts';
import { formatOf } from '../query/format.ts';
import { format } from './state.ts';

const HEADER = 'Strapi-Response-Format';

/** Undefined where the server has one format only. Other words than the names of formats are ignored. */
export function responseFormat({ format: standard }: ApiSettings): Middleware | undefined {
  if (standard === undefined) return undefined;
  return async (ctx, next) => {
    ctx.vary(HEADER);
    format.set(ctx, formatOf(standard, ctx.get(HEADER).trim()));
    await next();
    if (ctx.method === 'DELETE' && ctx.body === NO_ENTRY.body) ctx.status = 204;
  };
}
