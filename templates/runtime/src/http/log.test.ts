/** What the log says about callers, permissions and refusals. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { afterEach, expect, it } from 'vitest';
import { Koa, pino } from '../base/common-js.ts';
import { ForbiddenError, ValidationError } from '../contract/errors.ts';
import type { Caller } from '../contract/policy/caller.ts';
import { errorEnvelope } from './error-envelope.ts';
import { logRequests } from './log.ts';
import { caller } from './state.ts';
import { allow } from './request.ts';

const CALLER: Caller = { kind: 'user', role: 'reader', userId: 7, permissions: new Set(['article.find']) };

let stop: (() => void) | undefined;
afterEach(() => stop?.());

/** The log lines of a request at a level, without variable parts. */
async function linesOf(level: string, path: string, refusal?: Error): Promise<Record<string, unknown>[]> {
  const lines: string[] = [];
  const output = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const logger = pino({ level, base: null, timestamp: false }, output);
  const app = new Koa();
  app.use(logRequests(logger, { trustProxy: false }));
  app.use(errorEnvelope(logger));
  app.use((ctx, next) => {
    caller.set(ctx, CALLER);
    return next();
  });
  app.use(allow('article', path.startsWith('/made') ? 'create' : 'find'));
  app.use((ctx) => {
    if (refusal) throw refusal;
    ctx.body = '{}';
  });
  const server = app.listen(0, '127.0.0.1');
  stop = () => server.close();
  await once(server, 'listening');
  await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
  await expect.poll(() => lines.length, { timeout: 5000 }).toBeGreaterThan(0);
  return lines.map((line) => {
    const { requestId: _id, milliseconds: _time, level: _level, ...rest } = JSON.parse(line) as Record<string, unknown>;
    return rest;
  });
}

it('N11: has caller, role, permission and query at level debug', async () => {
  expect(await linesOf('debug', '/articles?filters[title]=x')).toContainEqual({
    role: 'reader',
    userId: 7,
    permission: 'article.find',
    given: true,
    query: 'filters[title]=x',
    msg: 'asked',
  });
  expect((await linesOf('info', '/articles?filters[title]=x')).map(({ msg }) => msg)).toEqual(['request']);
});

it('N11: says why a request is forbidden, at level info', async () => {
  const refused = { role: 'reader', userId: 7, msg: 'refused' };
  expect(await linesOf('info', '/made')).toContainEqual({ ...refused, reasons: ['reader lacks article.create'] });
  const ownRefusal = new ForbiddenError({ message: 'not on Sundays' });
  expect(await linesOf('info', '/', ownRefusal)).toContainEqual({ ...refused, reasons: ['not on Sundays'] });
});

it('N04: says why an entry does not exist for the caller, at level info', async () => {
  const issue = { path: ['tags'], message: 'tags names what does not exist', reason: 'reader lacks tag.find' };
  const lines = await linesOf('info', '/', new ValidationError([issue]));
  expect(lines).toContainEqual({ role: 'reader', userId: 7, msg: 'refused', reasons: ['reader lacks tag.find'] });
  const plain = await linesOf('info', '/', new ValidationError([{ path: [], message: 'x' }]));
  expect(plain.map(({ msg }) => msg)).toEqual(['request']);
});
