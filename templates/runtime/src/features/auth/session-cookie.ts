/**
 * Sessions of pages that the server itself serves, in an HttpOnly cookie. Against CSRF, the cookie is ignored unless the request has a
 * custom header: other sites could send that only with a CORS preflight, and CORS is never allowed for requests with credentials.
 */
import type { Context } from 'koa';
import { adminCookie } from '../../contract/admin.ts';
import { isCookieAuthenticated } from '../../http/page-request.ts';
import type { Session, Sessions, Verified } from './sessions.ts';

/** The sign-in route, where the cookie of an old session is ignored. */
const SIGN_IN = '/api/admin/session';

export interface SessionCookie {
  /** Signs and verifies the tokens in cookies. They have an audience of their own, so bearer tokens and cookies are not interchangeable. */
  readonly sessions: Sessions;
  /** The token in the cookie; undefined if there is none or the cookie must be ignored. */
  read(ctx: Context): string | undefined;
  /** Sets the cookie of a session, which expires after its idle time. */
  write(ctx: Context, session: Session): Promise<void>;
  /** Sets the cookie anew once a tenth of its idle time has passed, so that a session in use does not expire. */
  keepAlive(ctx: Context, session: Verified): Promise<void>;
  clear(ctx: Context): void;
}

/** The part of its idle time after which a cookie is set anew. */
const RENEWED_AFTER = 0.1;

/** `name` is the name of the project; `idle` is how long a session lasts without a request, in seconds. */
export function createSessionCookie(name: string, sessions: Sessions, idle: number): SessionCookie {
  const plain = adminCookie(name);
  // With the prefix `__Host-`, browsers accept the cookie from this exact host only, not from a subdomain.
  const nameIn = (ctx: Context): string => (ctx.secure ? `__Host-${plain}` : plain);
  const set = (ctx: Context, value: string, maxAge: number): void => {
    const options = {
      httpOnly: true,
      sameSite: 'strict',
      secure: ctx.secure,
      path: '/',
      maxAge,
      overwrite: true,
    } as const;
    ctx.cookies.set(nameIn(ctx), value, options);
  };
  const write = async (ctx: Context, session: Session): Promise<void> =>
    set(ctx, await sessions.sign(session), idle * 1000);
  return {
    sessions,
    read(ctx) {
      if (!isCookieAuthenticated(ctx)) return undefined;
      if (ctx.method === 'POST' && ctx.path === SIGN_IN) return undefined;
      return ctx.cookies.get(nameIn(ctx)) || undefined;
    },
    write,
    async keepAlive(ctx, session) {
      if (Date.now() / 1000 - session.signedAt >= idle * RENEWED_AFTER) await write(ctx, session);
    },
    clear: (ctx) => set(ctx, '', 0),
  };
}
