/** Security headers, by Helmet. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Middleware } from 'koa';
import helmet from 'koa-helmet';
import { Koa } from '../base/common-js.ts';

/** Helmet's headers are constant: computed once, against a dummy response. */
export async function securityHeaders(): Promise<Middleware> {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  await helmet()(new Koa().createContext(request, response), () => Promise.resolve());
  const headers = Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)] as const);
  return (ctx, next) => {
    for (const [name, value] of headers) ctx.res.setHeader(name, value);
    return next();
  };
}
