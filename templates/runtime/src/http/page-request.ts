/** CSRF protection of pages that the server delivers, whose session is in a cookie. */
import type { Context } from 'koa';
import { ADMIN_HEADER } from '../contract/admin.ts';
import { ForbiddenError } from '../contract/errors.ts';

/** Whether the request can't have been made by another site. */
export function isOfPage(ctx: Context): boolean {
  return ctx.get(ADMIN_HEADER) === '1';
}

/** Throws ForbiddenError if another site may have made the request, which could sign the user in to an account of the attacker. */
export function requirePageHeader(ctx: Context): void {
  if (!isOfPage(ctx)) throw new ForbiddenError(`Signing in here requires the header ${ADMIN_HEADER}: 1`);
}

/** Whether the request is authenticated by the cookie. */
export function isCookieAuthenticated(ctx: Context): boolean {
  return isOfPage(ctx) && ctx.get('Authorization') === '';
}
