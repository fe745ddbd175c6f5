import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { expect, onTestFinished, test } from 'vitest';
import { answerOf } from './answer.ts';

test('N10: middleware reads a response as a value, whether it is bytes, text or an object, and may change it', async () => {
  const json = '{"data":{"id":1,"attributes":{"title":"é"}}}';
  const bodies: Readonly<Record<string, unknown>> = {
    '/bytes': Buffer.from(json),
    '/text': json,
    '/object': JSON.parse(json),
  };
  const app = new Koa();
  app.use(async (ctx, next) => {
    await next();
    const answer = answerOf(ctx) as { data?: { id: number } } | null;
    if (answer?.data) ctx.body = { ...answer, seen: answer.data.id };
  });
  app.use((ctx) => {
    ctx.res.setHeader('Content-Type', ctx.path === '/page' ? 'text/html' : 'application/json; charset=utf-8');
    ctx.body = ctx.path === '/page' ? '{"data":{"id":2}}' : bodies[ctx.path];
  });
  const server = createServer((request, response) => void app.callback()(request, response)).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const path of Object.keys(bodies)) {
    const answer = await fetch(origin + path);
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(await answer.json()).toEqual({ ...JSON.parse(json), seen: 1 });
  }
  expect(await (await fetch(`${origin}/page`)).text()).toBe('{"data":{"id":2}}');
});
