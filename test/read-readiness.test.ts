/** `GET /_ready` while small reads are slow: because the database answers slowly, or since the process is too busy. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createDatabase, sqliteDatabase } from '../templates/runtime/test-support/engines.ts';
import { temporaryFolder } from '../templates/runtime/test-support/temporary-folder.ts';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import { serveProject } from './support/served-project.ts';

const POLLING = { timeout: 20_000, interval: 100 };
/** Somewhat longer than a small read may take, in milliseconds. */
const LONG = 250;

/** What makes reads slow. */
interface Slowness {
  readonly url: string;
  readonly begin: () => void;
  readonly end: () => void;
  readonly close: () => void;
}

/** Forwards connections to a database. Between `begin` and `end`, each of its answers takes longer. */
async function slowDatabase(url: string): Promise<Slowness> {
  const { hostname, port } = new URL(url);
  let delay = 0;
  const proxy = createServer((client) => {
    const database = connect(Number(port), hostname);
    let sent = Promise.resolve();
    database.on('data', (bytes) => {
      sent = sent.then(async () => {
        await sleep(delay);
        client.write(bytes);
      });
    });
    client.pipe(database);
    for (const [one, other] of [[client, database] as const, [database, client] as const]) {
      one.on('error', () => undefined).once('close', () => other.destroy());
    }
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  return {
    url: url.replace(`:${port}`, `:${(proxy.address() as AddressInfo).port}`),
    begin: () => void (delay = LONG),
    end: () => void (delay = 0),
    close: () => proxy.close(),
  };
}

/** Keeps this process busy, and the server in it. */
function busyProcess(url: string): Slowness {
  let timer: NodeJS.Timeout | undefined;
  const work = (): void => {
    const until = performance.now() + LONG;
    while (performance.now() < until);
  };
  const end = (): void => clearInterval(timer);
  return { url, begin: () => void (timer = setInterval(work, 1)), end, close: end };
}

describe.each(await testedEngines())('on %s', (engine) => {
  it('S1: is not ready while small reads are slow, stays alive, and is ready again after that', async () => {
    const folder = await temporaryFolder();
    const isFile = engine === 'sqlite';
    const database = isFile
      ? await sqliteDatabase(`${folder.path}/data.db`)
      : await createDatabase(engine, `read_readiness_${process.pid}`);
    const slowness = isFile ? busyProcess(database.url) : await slowDatabase(database.url);
    const schema = `name: reads\ndatabases: [${engine}]\ncontentTypes: { note: { attributes: { text: { type: string } } } }\n`;
    const server = await serveProject(schema, { environment: { DATABASE_URL: slowness.url } });
    const get = async (path: string) => {
      const answer = await fetch(`${server.origin}${path}`);
      return `${answer.status} ${await answer.text()}`;
    };
    try {
      await expect.poll(() => get('/_ready'), POLLING).toBe('204 ');
      slowness.begin();
      await expect.poll(() => get('/_ready'), POLLING).toMatch(/^503 .*small reads take longer than 200 ms/u);
      expect(await get('/_health')).toBe('204 ');
      slowness.end();
      await expect.poll(() => get('/_ready'), POLLING).toBe('204 ');
    } finally {
      slowness.end();
      await server.close();
      slowness.close();
      await database.drop();
      await folder.remove();
    }
  }, 60_000);
});
