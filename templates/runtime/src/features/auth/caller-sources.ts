/** Who sends a request, for those that last longer than permissions and sessions. */
import type { Context } from 'koa';
import { atHost } from '../../entries/rules/rule-values.ts';
import type { CallerSource } from '../../http/caller-source.ts';
import { type Authenticator, credentialsOf } from './authenticator.ts';
import type { SessionCookie } from './session-cookie.ts';

/** Keeps of each request only its credentials, and its host. */
export function callerSources(
  authenticator: Authenticator,
  cookie: SessionCookie | undefined,
): (ctx: Context) => CallerSource {
  return (ctx) => {
    const { hostname } = ctx;
    const token = cookie?.read(ctx);
    const credentials = credentialsOf(ctx.get('authorization'));
    const find = async () => {
      if (token !== undefined) return (await authenticator.cookieCaller(token)).caller;
      return credentials === undefined ? authenticator.publicCaller() : authenticator.caller(credentials);
    };
    return {
      key: `${hostname} ${token === undefined ? `bearer ${credentials ?? ''}` : `cookie ${token}`}`,
      async caller() {
        await authenticator.refresh();
        return atHost(await find(), hostname);
      },
    };
  };
}
