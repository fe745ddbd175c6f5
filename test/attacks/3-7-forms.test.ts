/** Section 3.7, of multipart bodies: whatever is wrong with one, nothing of it is left. */
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, sendBytes, statusesOf } from '../support/attacks/client.ts';
import { BOUNDARY, encodeForm, type FormPart, PNG } from '../../templates/runtime/test-support/multipart-forms.ts';
import { openFiles } from '../support/attacks/process.ts';
import { type AttackedServer, startAttacked } from '../support/attacks/server.ts';

let server: AttackedServer;
beforeAll(async () => {
  server = await startAttacked({ UPLOAD_MAX_SIZE: '100000', UPLOAD_MAX_FILES: '5' });
});
afterAll(() => server?.stop());

const FILE: FormPart = { name: 'files', filename: 'a.png', type: 'image/png', content: PNG };

function arriving(): string[] {
  return readdirSync(join(server.uploads, '.incoming'));
}

function upload(parts: readonly FormPart[], path = '/api/upload', options = {}): Promise<Answer> {
  const { body, type } = encodeForm(parts, options);
  return server.call('writer', 'POST', path, { body, headers: { 'Content-Type': type } });
}

function head(length: number, path = '/api/upload'): string {
  const { writer } = server.seed.credentials;
  return `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${writer}\r\nContent-Type: multipart/form-data; boundary=${BOUNDARY}\r\nContent-Length: ${length}\r\n\r\n`;
}

test('B101: a form is bounded in parts, names, files and sizes', async () => {
  const many = (count: number, part: FormPart) => Array.from({ length: count }, () => part);
  const nested = `a${'[b]'.repeat(1000)}`;
  for (const [parts, statuses] of [
    [[{ ...FILE, name: '' }], [400]],
    [[{ ...FILE, name: 'file' }], [400]],
    [many(6, FILE), [413]],
    [many(10_000, { name: 'x', content: '1' }), [413]],
    [many(51, { name: 'fileInfo', content: '{}' }), [413]],
    [[FILE, { name: nested, content: '1' }], [400]],
    [[FILE, { name: 'a.b.__proto__', content: '1' }], [400]],
    [[FILE, { name: 'constructor', content: '1' }], [400]],
    [[{ ...FILE, content: '' }], [400]],
    [[{ ...FILE, content: Buffer.concat([PNG, Buffer.alloc(100_000)]) }], [413]],
    [[FILE, { name: 'fileInfo', content: 'x'.repeat(70_000) }], [413]],
    [[FILE, { name: 'fileInfo', content: '{' }], [400]],
    [[{ name: 'files', content: 'no file' }], [400]],
    [[], [400]],
  ] as const) {
    const { status } = await upload(parts);
    expect(statuses, JSON.stringify(parts.slice(0, 2)).slice(0, 200)).toContain(status);
    expect(arriving()).toEqual([]);
  }
});

test('B101: a malformed or truncated form leaves nothing behind', async () => {
  expect((await upload([FILE], '/api/upload', { open: true })).status).toBe(400);
  for (const type of [
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=other',
    `multipart/form-data; boundary=${'x'.repeat(5000)}`,
  ]) {
    const { body } = encodeForm([FILE]);
    for (const path of ['/api/upload', '/api/articles']) {
      const answer = await server.call('writer', 'POST', path, { body, headers: { 'Content-Type': type } });
      expect([400, 415], `${path} ${type.slice(0, 60)}`).toContain(answer.status);
    }
  }
  const long = 'x'.repeat(20_000);
  for (const header of [
    `Content-Disposition: form-data; name="${long}"; filename="a"`,
    `X: ${long}`,
    'Content-Disposition: attachment',
    'garbage',
    '',
  ]) {
    const body = `--${BOUNDARY}\r\n${header}\r\n\r\nx\r\n--${BOUNDARY}--\r\n`;
    const answer = await server.call('writer', 'POST', '/api/upload', {
      body,
      headers: { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` },
    });
    expect([400, 413], header.slice(0, 60)).toContain(answer.status);
  }
  const { body } = encodeForm([{ ...FILE, content: Buffer.concat([PNG, Buffer.alloc(50_000)]) }]);
  const before = await server.state.dump();
  // Said to be longer than it is, and ended in the middle.
  for (const length of [body.length, body.length + 1000]) {
    await new Promise<void>((resolve) => {
      const socket = connect(server.port, '127.0.0.1');
      socket.write(head(length));
      socket.write(body.subarray(0, body.length / 2));
      setTimeout(() => socket.destroy(), 100);
      socket.on('close', () => resolve());
    });
  }
  // Said to be shorter: the rest is no request.
  const short = await sendBytes(server.port, [head(100), body.toString('latin1')], 1000);
  for (const status of statusesOf(short)) expect(status).toBe(400);
  await expect.poll(arriving, { timeout: 5000 }).toEqual([]);
  expect(await server.state.dump()).toBe(before);
});

test('B101: files of a rejected entry are removed', async () => {
  const form = (data: object, ...files: FormPart[]) =>
    upload([{ name: 'data', content: JSON.stringify(data) }, ...files], '/api/articles?populate=hero');
  const hero = { ...FILE, name: 'files.hero' };
  for (const answer of [
    await form({ titel: 'x' }, hero),
    await form({ title: 'x', code: 'A-1' }, hero),
    await form({ title: 'x', tags: [987_654] }, hero),
    await form({ title: 'x' }, { ...FILE, name: 'files.notThere' }),
    await form({ title: 'x' }, { ...FILE, name: 'files.title' }),
    await form({ title: 'x' }, { ...FILE, name: 'files.seo.image' }),
    await form({ title: 'x' }, { ...FILE, name: 'files.' }),
    await form({ title: 'x' }, { ...FILE, name: 'hero' }),
    await form({ title: 'x' }, { ...hero, content: 'plain text' }),
    await upload([{ name: 'data', content: '{' }, hero], '/api/articles'),
    await upload([{ name: 'data', content: '[]' }, hero], '/api/articles'),
    await upload([hero], '/api/articles'),
    await upload(
      [{ name: 'data', content: '{"title":"x"}' }, { name: 'data', content: '{"title":"y"}' }, hero],
      '/api/articles',
    ),
  ]) {
    expect(answer.status, answer.text).toBe(400);
  }
  expect(arriving()).toEqual([]);
  expect((await form({ title: 'x' }, hero)).body.data.attributes.hero.data.attributes.name).toBe('a.png');
});

test('B101: repeated aborts leave no file open', async () => {
  const { body } = encodeForm([FILE, FILE]);
  const before = openFiles(server.pid);
  for (let round = 0; round < 20; round++) {
    const aborted = Array.from({ length: 10 }, async () => {
      await sendBytes(server.port, [head(body.length), body.subarray(0, body.length - 40).toString('latin1')], 20);
    });
    await Promise.all(aborted);
  }
  await expect.poll(() => openFiles(server.pid), { timeout: 15_000 }).toBeLessThan(before + 10);
  await expect.poll(arriving, { timeout: 5000 }).toEqual([]);
});
