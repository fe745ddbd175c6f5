/**
 * Two instances on one database are killed again and again while they write, and tell a receiver that fails, stalls and cuts connections.
 * Whatever they have acknowledged is told, in the order of each entry; what was undone is not. `KILLED_SECONDS` sets how long.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { bundleProgram, type ForkedServer, forkServer, serverProgram } from '../../../test-support/forked-server.ts';
import { openEngine, testedEngines } from '../../../test-support/runtime-database.ts';
import { temporaryFolder } from '../../../test-support/temporary-folder.ts';
import { receiveWebhooks, SECRET } from '../../../test-support/webhook-receiver.ts';
import { openDatabase } from '../../database/open-database.ts';
import { raw } from '../../database/sql.ts';

const SECONDS = Number(process.env['KILLED_SECONDS'] ?? 12);
const ENTRIES = 8;

describe.each(await testedEngines())('on %s', (engine) => {
  it('tells what was acknowledged, in order, and nothing that was undone', async () => {
    const folder = await temporaryFolder();
    const opened = engine === 'sqlite' ? undefined : await openEngine(engine, 'webhooks_killed');
    const url = opened?.url ?? `sqlite:${join(folder.path, 'test.db')}`;
    const file = await bundleProgram(folder.path, serverProgram('notices'));
    const receiver = await receiveWebhooks();
    const environment = {
      DATABASE_URL: url,
      UPLOAD_DIR: join(folder.path, 'uploads'),
      SITE_HOOK: receiver.url,
      SITE_SECRET: SECRET,
      INDEX_HOOK: receiver.url,
      INDEX_SECRET: SECRET,
      WEBHOOKS_ALLOW_PRIVATE: 'true',
    };
    const start = (): Promise<ForkedServer> => forkServer(file, environment);
    const instances = [await start(), await start()];
    const send = async (method: string, path: string, body: unknown): Promise<any> => {
      const { origin } = instances[Math.floor(Math.random() * instances.length)]!;
      const response = await fetch(`${origin}/api/${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(20_000),
      });
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
      return response.json();
    };
    receiver.answering(() => {
      const chance = Math.random();
      if (chance < 0.8) return 200;
      if (chance < 0.9) return 503;
      return chance < 0.92 ? 'stall' : (response) => response.destroy();
    });
    const ids: number[] = [];
    for (let count = 0; count < ENTRIES; count += 1) {
      ids.push((await send('POST', 'tags', { data: { name: `${count}-0` } })).data.id);
    }
    const end = Date.now() + SECONDS * 1000;
    const acknowledged = new Set<string>();
    const writing = ids.map(async (id, entry) => {
      for (let count = 1; Date.now() < end; count += 1) {
        const name = `${entry}-${count}`;
        const undone = { method: 'PUT', path: `/api/tags/${id}`, body: { data: { name: `undone ${name}` } } };
        const refused = { method: 'PUT', path: '/api/tags/999999', body: { data: {} } };
        await send('POST', '_batch', { operations: [undone, refused] }).catch(() => undefined);
        try {
          await send('PUT', `tags/${id}`, { data: { name } });
          acknowledged.add(name);
        } catch {
          await sleep(20);
        }
      }
    });
    const killing = (async () => {
      while (Date.now() < end) {
        await sleep(800 + Math.random() * 800);
        const index = Math.floor(Math.random() * instances.length);
        instances[index]!.process.kill('SIGKILL');
        instances[index] = await start();
      }
    })();
    await Promise.all([...writing, killing]);
    receiver.answering(() => 200);
    const database = opened?.database ?? (await openDatabase(url));
    try {
      // Leases of the killed instances end, and so do the waits of what was refused.
      await expect
        .poll(
          async () => {
            await database.run(raw('UPDATE outbox SET due_at = 0, lease = NULL WHERE state = 0'));
            await database.run(raw('UPDATE outbox_receivers SET failures = 0, paused_until = 0'));
            const row = await database.get(raw('SELECT COUNT(*) AS count FROM outbox WHERE state = 0'));
            return Number(row?.['count']);
          },
          { timeout: 120_000, interval: 2000 },
        )
        .toBe(0);
      expect(acknowledged.size).toBeGreaterThan(SECONDS * 5);
      const accepted = receiver.accepted().map(({ body }) => body);
      const names = new Set(accepted.map(({ entry }) => entry.name));
      expect([...acknowledged].filter((name) => !names.has(name))).toEqual([]);
      expect(receiver.told.filter(({ body }) => String(body.entry.name).startsWith('undone'))).toEqual([]);
      for (const id of ids) {
        const own = accepted.filter(({ entry }) => entry.id === id);
        const first = [...new Map(own.toReversed().map((body) => [body.id, body])).values()].toReversed();
        const versions = first.map(({ version }) => version);
        expect(versions).toEqual(versions.toSorted((a, b) => a - b));
        expect(new Set(versions).size).toBe(versions.length);
      }
      console.log(
        `${engine}: ${acknowledged.size} writes, ${receiver.told.length} requests, ${accepted.length} accepted`,
      );
    } finally {
      for (const { process: child } of instances) child.kill('SIGKILL');
      await receiver.close();
      await (opened ? opened.drop() : database.close());
      await folder.remove();
    }
  }, 400_000);
});
