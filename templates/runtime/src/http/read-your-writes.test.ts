/** Requests that wait until the node of the server has caught up with its cluster. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Koa } from '../base/common-js.ts';
import { readYourWrites } from './read-your-writes.ts';
import { POSITION_HEADER } from './position-tokens.ts';

describe('requests to a node of a cluster', () => {
  let server: Server;
  let caughtUp: number;
  let status: number;
  beforeEach(async () => {
    [caughtUp, status] = [0, 200];
    const catchUp = async (): Promise<void> => {
      caughtUp += 1;
    };
    const { addToken, waitForNode } = readYourWrites({ name: 'blog', secret: 'of the tests', catchUp });
    const app = new Koa();
    app.use(addToken).use(waitForNode);
    app.use((ctx) => {
      ctx.body = {};
      ctx.status = status;
    });
    server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => void server.close());

  const send = (method: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { method, headers });
  const tokenOf = (response: Response): string => response.headers.get(POSITION_HEADER) ?? '';

  it('wait if their caller has written, whether it sends the header or the cookie', async () => {
    const written = await send('POST');
    expect(caughtUp).toBe(0);
    const cookies = written.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
    expect(cookies).toHaveLength(1);
    const read = await send('GET', { [POSITION_HEADER]: tokenOf(written) });
    expect(caughtUp).toBe(1);
    expect(read.headers.get('vary')).toContain(POSITION_HEADER);
    const page = await send('GET', { cookie: cookies.join() });
    expect(caughtUp).toBe(2);
    // A cookie expires after the last write; a header is renewed whenever it is sent.
    expect([tokenOf(page), page.headers.getSetCookie()]).toEqual(['', []]);
    expect(tokenOf(read)).not.toBe('');
    await send('PUT', { [POSITION_HEADER]: tokenOf(read) });
    expect(caughtUp).toBe(3);
  });

  it('do not wait if the caller has not written', async () => {
    await send('GET');
    const begun = await send('GET', { [POSITION_HEADER]: '0' });
    await send('GET', { [POSITION_HEADER]: `latest.${Date.now().toString(36)}.0123456789abcdef` });
    expect(caughtUp).toBe(0);
    await send('GET', { [POSITION_HEADER]: tokenOf(begun) });
    expect(caughtUp).toBe(1);
  });

  it('get a token for a write that may have been executed, not for one that was refused', async () => {
    status = 400;
    expect(tokenOf(await send('POST'))).toBe('');
    status = 503;
    expect(tokenOf(await send('POST'))).not.toBe('');
  });
});
