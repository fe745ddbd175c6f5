/** The security headers of every answer. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import Koa, { type Middleware } from 'koa';
import helmet from 'koa-helmet';

/** What Helmet sets, which is the same for every answer: it is asked once, of an answer that nobody gets. */
export async function securityHeaders(): Promise<Middleware> {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  const headers = new Map<string, string>();
  response.setHeader = (name, value) => {
    headers.set(name, String(value));
    return response;
  };
  await helmet()(new Koa().createContext(request, response), () => Promise.resolve());
  return (ctx, next) => {
    for (const [name, value] of headers) ctx.res.setHeader(name, value);
    return next();
  };
}
