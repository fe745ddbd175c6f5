/** Finds out who calls. Until there are users and tokens, nobody's credentials are valid. */
import type { Middleware } from 'koa';
import { UnauthorizedError } from '../errors.ts';
import type { Caller } from '../policy/caller.ts';

const BEARER = /^bearer\s/i;

/** Sets `ctx.state.caller`. Credentials of another scheme than Bearer, or none, are the public's. */
export function authenticate(publicCaller: Caller): Middleware {
  return (ctx, next) => {
    if (BEARER.test(ctx.get('authorization'))) throw new UnauthorizedError();
    ctx.state['caller'] = publicCaller;
    return next();
  };
}
