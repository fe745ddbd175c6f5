/**
 * Sessions of pages that the server itself serves, in an HttpOnly cookie. Against CSRF, the cookie is ignored unless the request has a
 * custom header: other sites could send that only with a CORS preflight, and CORS is never allowed for requests with credentials.
 */
import type { Context } from 'koa';
import { adminCookie } from '../../contract/admin.ts';
import { isCookieAuthenticated } from '../../http/page-request.ts';
import type { Sessions } from './sessions.ts';

/** The sign-in route, where the cookie of an old session is ignored. */
const SIGN_IN = '/api/admin/session';

export interface SessionCookie {
  /** Signs and verifies the tokens in cookies. They have an audience of their own, so bearer tokens and cookies are not interchangeable. */
  readonly sessions: Sessions;
  /** The token in the cookie; undefined if there is none or the cookie must be ignored. */
  read(ctx: Context): string | undefined;
  /** `lifetime` is in seconds. */
  write(ctx: Context, token: string, lifetime: number): void;
  clear(ctx: Context): void;
}

/** `name` is the name of the project. */
export function createSessionCookie(name: string, sessions: Sessions): SessionCookie {
  const plain = adminCookie(name);
  // With the prefix `__Host-`, browsers accept the cookie from this exact host only, not from a subdomain.
  const nameIn = (ctx: Context): string => (ctx.secure ? `__Host-${plain}` : plain);
  const set = (ctx: Context, value: string, maxAge: number): void => {
    const options = { httpOnly: true, sameSite: 'strict', secure: ctx.secure, path: '/', maxAge } as const;
    ctx.cookies.set(nameIn(ctx), value, options);
  };
  return {
    sessions,
    read(ctx) {
      if (!isCookieAuthenticated(ctx)) return undefined;
      if (ctx.method === 'POST' && ctx.path === SIGN_IN) return undefined;
      return ctx.cookies.get(nameIn(ctx)) || undefined;
    },
    write: (ctx, token, lifetime) => set(ctx, token, lifetime * 1000),
    clear: (ctx) => set(ctx, '', 0),
  };
}
