/** Requests of pages that the server delivers, whose session is a cookie. */
import type { Context } from 'koa';
import { ADMIN_HEADER } from '../contract/admin.ts';
import { ForbiddenError } from '../contract/errors.ts';

/** Whether the request can't have been made by another site. */
function isOfPage(ctx: Context): boolean {
  return ctx.get(ADMIN_HEADER) === '1';
}

/** Throws ForbiddenError where another site may have made the request, which could sign a person in as somebody else. */
export function requireOfPage(ctx: Context): void {
  if (!isOfPage(ctx)) throw new ForbiddenError(`Signing in here needs the header ${ADMIN_HEADER}: 1`);
}

/** Whether it is the cookie that says who asks. */
export function countsByCookie(ctx: Context): boolean {
  return isOfPage(ctx) && ctx.get('Authorization') === '';
}
