/** `events` of the typed client: reconnects, resumes, and ends. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openProxy, type Proxy } from '../templates/runtime/test-support/proxy.ts';
import type { TestServer } from '../templates/runtime/test-support/test-project.ts';
import { openSchema } from './support/served-project.ts';

const SCHEMA = `
name: waiting
databases: [sqlite]
admin: false
events: true
contentTypes:
  note:
    attributes:
      text: { type: string }
permissions:
  public: { note: '*' }
`;

let project: Awaited<ReturnType<typeof openSchema>>;
let server: TestServer;
let proxy: Proxy;
let api: any;

beforeAll(async () => {
  project = await openSchema(SCHEMA);
  server = await project.start();
  proxy = await openProxy(`${server.origin}/`);
  const { createClient } = await import(pathToFileURL(join(project.folder, 'client/index.js')).href);
  api = createClient({ baseUrl: `${proxy.url.replace(/\/$/u, '')}/api` });
});
afterAll(async () => {
  await proxy?.close();
  await server?.close();
  await project?.remove();
});

it('is told everything across lost connections, and ends', async () => {
  const create = (text: string) => server.send('POST', '/api/notes', { body: { data: { text } } });
  const ending = new AbortController();
  const told: string[] = [];
  let isOpen = false;
  const reading = (async () => {
    for await (const change of api.events({ types: ['note'], signal: ending.signal })) {
      isOpen = true;
      told.push(`${change.event} ${change.model} ${change.entry.text}`);
      if (told.at(-1)?.endsWith('first')) {
        await proxy.cut();
        await create('missed');
        await proxy.restore();
      }
      if (told.at(-1)?.endsWith('missed')) ending.abort();
    }
  })();
  while (!isOpen) {
    if (proxy.connections() > 0) await create('first');
    await new Promise((resolve) => void setTimeout(resolve, 50));
  }
  await reading;
  expect([...new Set(told)]).toEqual(['entry.create note first', 'entry.create note missed']);
});

it('throws once the server refuses', async () => {
  const reading = api.withToken('wrong').events().next();
  await expect(reading).rejects.toMatchObject({ status: 401 });
  await expect(api.events({ types: ['user'] }).next()).rejects.toMatchObject({ status: 400 });
});
