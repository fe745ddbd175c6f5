/** The answer of a route as a value, for middleware of a team's own that looks at it, or changes it. */
import type { Context } from 'koa';

/**
 * What `ctx.body` says. Generated routes put JSON there that the database has made, as bytes or text, as reading and writing
 * it anew would cost each request more than all else; whoever wants to look into it pays for that alone. An object of it can
 * be changed and assigned to `ctx.body`. Whatever is no JSON is handed over as it is.
 */
export function answerOf({ body, response }: Pick<Context, 'body' | 'response'>): unknown {
  const isText = typeof body === 'string' || Buffer.isBuffer(body);
  return isText && response.is('json') ? JSON.parse(String(body)) : body;
}
