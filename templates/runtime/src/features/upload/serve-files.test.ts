/** Stored files as served to browsers. Numbers such as B111 refer to the project's list of attacks. */
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { get, openBelow, send, startUploadServer, type UploadServer } from '../../../test-support/upload-server.ts';

let server: UploadServer;
beforeAll(async () => {
  server = await startUploadServer();
});
afterAll(() => server.close());

async function upload(name: string, content: string): Promise<any[]> {
  return (await send(server, 'POST', '/api/upload', [['files', content, name, 'text/plain']])).body;
}

describe('what is served', () => {
  test('B111, B113: only generated names, no symbolic links, no other folder', async () => {
    const [file] = await upload('x.txt', 'hello');
    const hash = '0123456789abcdef'.repeat(2);
    await writeFile(join(server.directory, '..', 'secret.txt'), 'secret');
    await symlink(join(server.directory, '..', 'secret.txt'), join(server.directory, `${hash}.txt`));
    for (const path of [
      `${hash}.txt`,
      '../secret.txt',
      '%2e%2e/secret.txt',
      '..%2fsecret.txt',
      '.incoming',
      '',
      '/',
      `${file.hash}.txt/`,
      `${file.hash}.TXT`,
      `${'f'.repeat(32)}.txt`,
      '%00',
      'x'.repeat(5000),
    ]) {
      const { status, text: body } = await get(server, `/uploads/${path}`);
      expect([path.slice(0, 50), status]).toEqual([path.slice(0, 50), 404]);
      expect(body).not.toContain('secret');
    }
    expect((await get(server, file.url, {}, 'PUT')).status).toBe(405);
  });

  test('B112: at most one range; HEAD leaves no file open', async () => {
    const [file] = await upload('digits.txt', '0123456789');
    const range = async (value: string, more = {}) => {
      const { status, headers, text: body } = await get(server, file.url, { Range: value, ...more });
      return [status, body, headers['content-range']];
    };
    expect(await range('bytes=2-4')).toEqual([206, '234', 'bytes 2-4/10']);
    expect(await range('bytes=7-')).toEqual([206, '789', 'bytes 7-9/10']);
    expect(await range('bytes=-3')).toEqual([206, '789', 'bytes 7-9/10']);
    expect(await range('bytes=5-999')).toEqual([206, '56789', 'bytes 5-9/10']);
    const huge = '9'.repeat(20);
    expect(await range(`bytes=5-${huge}`)).toEqual([206, '56789', 'bytes 5-9/10']);
    expect(await range(`bytes=-${huge}`)).toEqual([206, '0123456789', 'bytes 0-9/10']);
    expect((await range(`bytes=${huge}-`))[0]).toBe(416);
    const beyond = await get(server, file.url, { Range: 'bytes=10-' });
    expect([beyond.status, beyond.headers['cache-control']]).toEqual([416, 'no-store']);
    const all = [200, '0123456789', undefined];
    for (const value of [
      'bytes=0-1,3-4',
      'bytes=4-2',
      'bytes=-',
      'lines=1-2',
      `bytes=${'0-0,'.repeat(1000)}1-1`,
      ',;'.repeat(25_000 / 4),
    ]) {
      expect(await range(value)).toEqual(all);
    }
    expect(await range('bytes=0-1', { 'If-Range': '"other"' })).toEqual(all);
    const { headers } = await get(server, file.url);
    expect((await get(server, file.url, { 'If-None-Match': headers['etag'] })).status).toBe(304);

    const heads = await Promise.all(Array.from({ length: 100 }, () => get(server, file.url, {}, 'HEAD')));
    expect(
      heads.every((head) => head.status === 200 && head.headers['content-length'] === '10' && head.text === ''),
    ).toBe(true);
    expect(await openBelow(server.directory)).toBe(0);
  });
});
