/**
 * Sessions of pages that the server delivers, in a cookie that no script can read. Browsers send cookies with whatever request any site
 * makes: this one counts only beside a header that other sites can't send, as they would need the permission of CORS, which none gets
 * for requests with cookies.
 */
import type { Context } from 'koa';
import { adminCookie } from '../../contract/admin.ts';
import { countsByCookie } from '../../http/page-request.ts';
import type { Sessions } from './sessions.ts';

/** Where a new session begins: whatever is left of an old one does not matter. */
const SIGN_IN = '/api/admin/session';

export interface SessionCookie {
  /** The sessions that cookies hold: their tokens are good for nothing else, and no other tokens are good in cookies. */
  readonly sessions: Sessions;
  /** The token of a request whose cookie counts. */
  read(ctx: Context): string | undefined;
  /** `lifetime` is in seconds. */
  write(ctx: Context, token: string, lifetime: number): void;
  clear(ctx: Context): void;
}

/** `name` is the project's. */
export function createSessionCookie(name: string, sessions: Sessions): SessionCookie {
  const plain = adminCookie(name);
  // With this prefix, browsers take the cookie from this very host alone, not from one of its subdomains.
  const nameIn = (ctx: Context): string => (ctx.secure ? `__Host-${plain}` : plain);
  const set = (ctx: Context, value: string, maxAge: number): void => {
    const options = { httpOnly: true, sameSite: 'strict', secure: ctx.secure, path: '/', maxAge } as const;
    ctx.cookies.set(nameIn(ctx), value, options);
  };
  return {
    sessions,
    read(ctx) {
      if (!countsByCookie(ctx)) return undefined;
      if (ctx.method === 'POST' && ctx.path === SIGN_IN) return undefined;
      return ctx.cookies.get(nameIn(ctx)) || undefined;
    },
    write: (ctx, token, lifetime) => set(ctx, token, lifetime * 1000),
    clear: (ctx) => set(ctx, '', 0),
  };
}
