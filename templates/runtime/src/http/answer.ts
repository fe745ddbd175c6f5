/** The response body as a value, for middleware that reads or changes it. */
import type { Context } from 'koa';

/**
 * Parses `ctx.body`. Generated routes set it to JSON built by the database, as bytes or text, which is never parsed
 * unless a middleware asks for it here. The result may be changed and assigned to `ctx.body`. A body that is not JSON
 * is returned as it is.
 */
export function answerOf({ body, response }: Pick<Context, 'body' | 'response'>): unknown {
  const isText = typeof body === 'string' || Buffer.isBuffer(body);
  return isText && response.is('json') ? JSON.parse(String(body)) : body;
}
