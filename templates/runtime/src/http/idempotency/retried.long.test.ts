/**
 * Clients that repeat whatever fails, each write with its `Idempotency-Key`, through proxies that cut connections, to two instances that are
 * killed, as are the connections to the database: each intended write is made exactly once. A batch that is refused leaves nothing, and one
 * whose answer was lost is there as a whole or not at all. `RETRIED_WRITES` sets how many writes.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { bundleProgram, type ForkedServer, forkServer, serverProgram } from '../../../test-support/forked-server.ts';
import { freePort } from '../../../test-support/free-port.ts';
import { openProxy, type Proxy } from '../../../test-support/proxy.ts';
import { openEngine, testedEngines } from '../../../test-support/runtime-database.ts';
import { temporaryFolder } from '../../../test-support/temporary-folder.ts';
import { createToken } from '../../../test-support/test-project.ts';
import type { Database } from '../../database/database.ts';
import type { DialectName } from '../../database/dialect.ts';
import { openDatabase } from '../../database/open-database.ts';
import { raw } from '../../database/sql.ts';

const WRITES = Number(process.env['RETRIED_WRITES'] ?? 400);
const CLIENTS = 64;
/** Creates in a batch. */
const IN_BATCH = 6;

/** How connections to the database are found, and ended. */
const CONNECTIONS: Partial<Record<DialectName, { readonly ids: string; readonly end: (id: number) => string }>> = {
  postgres: {
    ids: 'SELECT pid AS id FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    end: (id) => `SELECT pg_terminate_backend(${id})`,
  },
  mysql: {
    ids: 'SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()',
    end: (id) => `KILL ${id}`,
  },
};

/** Returns a function that ends the connections that have been opened since. */
async function connectionKiller(engine: DialectName, database: Database): Promise<() => Promise<void>> {
  const { ids, end } = CONNECTIONS[engine] ?? {};
  if (ids === undefined || !end) return () => Promise.resolve();
  const idsNow = async (): Promise<readonly number[]> => (await database.all(raw(ids))).map(({ id }) => Number(id));
  const spared = new Set(await idsNow());
  return async () => {
    const others = (await idsNow()).filter((id) => !spared.has(id));
    for (const id of others) await database.all(raw(end(id))).catch(() => undefined);
  };
}

/** An instance behind a proxy. */
interface Target {
  readonly port: number;
  readonly proxy: Proxy;
  server: ForkedServer;
}

/** What a client wants to be written, and the names of the tags that are there then. */
interface Intended {
  readonly method: string;
  readonly path: string;
  readonly body: object;
  readonly names: readonly string[];
}

const create = (name: string) => ({ method: 'POST', path: '/api/tags', body: { data: { name } } });

function intended(index: number): Intended {
  const names = Array.from({ length: 3 }, (_, at) => `kept ${index}-${at}`);
  const [name = ''] = names;
  if (index % 4 === 0) {
    return { method: 'POST', path: '/api/_batch', body: { operations: names.map(create) }, names };
  }
  return { ...create(name), names: [name] };
}

describe.each(await testedEngines())('on %s', (engine) => {
  it('makes each write once, and nothing of a batch that is refused', async () => {
    const folder = await temporaryFolder();
    const opened = engine === 'sqlite' ? undefined : await openEngine(engine, 'retried');
    const url = opened?.url ?? `sqlite:${join(folder.path, 'test.db')}`;
    const database = opened?.database ?? (await openDatabase(url));
    const killConnections = await connectionKiller(engine, database);
    const file = await bundleProgram(folder.path, serverProgram('newspaper'));
    const environment = { DATABASE_URL: url, UPLOAD_DIR: join(folder.path, 'uploads') };
    const start = (port: number): Promise<ForkedServer> => forkServer(file, { ...environment, PORT: String(port) });
    const targets: Target[] = [];
    for (let count = 0; count < 2; count += 1) {
      const port = await freePort();
      targets.push({ port, server: await start(port), proxy: await openProxy(`http://127.0.0.1:${port}/`) });
    }
    const token = await createToken(database, { kind: 'full-access' });
    const someTarget = (): Target => targets[Math.floor(Math.random() * targets.length)]!;

    /** Rejects if there is no answer. */
    async function send({ method, path, body }: Omit<Intended, 'names'>, key?: string): Promise<Response> {
      const response = await fetch(new URL(path, someTarget().proxy.url), {
        method,
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
          ...(key !== undefined && { 'idempotency-key': key }),
        },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(20_000),
      });
      await response.text();
      return response;
    }
    let repeated = 0;
    async function insist(write: Intended, key: string): Promise<void> {
      for (;;) {
        const response = await send(write, key).catch(() => undefined);
        if (response?.ok) return;
        const isPassing = response === undefined || [409, 429].includes(response.status) || response.status >= 500;
        if (!isPassing) throw new Error(`${write.method} ${write.path}: ${response.status}`);
        repeated += 1;
        await sleep(10 + Math.random() * 200);
      }
    }

    let next = 0;
    const kept: string[] = [];
    /** The names of each batch without a key, and whether it was acknowledged. */
    const lost: { readonly names: readonly string[]; readonly isKnown: boolean }[] = [];
    async function client(): Promise<void> {
      while (next < WRITES) {
        const index = (next += 1);
        const write = intended(index);
        await insist(write, `write ${index}`);
        kept.push(...write.names);
        if (index % 4 === 1) {
          const operations: object[] = Array.from({ length: IN_BATCH }, (_, at) => create(`undone ${index}-${at}`));
          const failing = { method: 'PUT', path: '/api/tags/987654', body: { data: { name: 'nobody' } } };
          operations.splice(Math.floor(index / 4) % (IN_BATCH + 1), 0, failing);
          await send({ method: 'POST', path: '/api/_batch', body: { operations } }).catch(() => undefined);
        }
        if (index % 4 === 2) {
          const names = Array.from({ length: IN_BATCH }, (_, at) => `whole ${index}-${at}`);
          const batch = { method: 'POST', path: '/api/_batch', body: { operations: names.map(create) } };
          const answer = await send(batch).catch(() => undefined);
          lost.push({ names, isKnown: answer?.ok === true });
        }
      }
    }

    let isDone = false;
    const disturb = async (wait: number, work: () => Promise<unknown>): Promise<void> => {
      while (!isDone) {
        await sleep(wait * (0.5 + Math.random()));
        if (!isDone) await work();
      }
    };
    const disturbing = Promise.all([
      disturb(150, async () => {
        const { proxy } = someTarget();
        await proxy.cut();
        await sleep(10);
        await proxy.restore();
      }),
      disturb(2500, async () => {
        const target = someTarget();
        target.server.process.kill('SIGKILL');
        target.server = await start(target.port);
      }),
      disturb(1500, killConnections),
    ]);
    try {
      await Promise.all(Array.from({ length: CLIENTS }, client));
      isDone = true;
      await disturbing;
      const rows = await database.all(raw('SELECT name, COUNT(*) AS count FROM tags GROUP BY name'));
      const counts = new Map(rows.map(({ name, count }) => [String(name), Number(count)]));
      expect(kept.filter((name) => counts.get(name) !== 1)).toEqual([]);
      const whole = new Set(lost.flatMap(({ names }) => names));
      const known = new Set(kept);
      expect([...counts.keys()].filter((name) => !known.has(name) && !whole.has(name))).toEqual([]);
      for (const { names, isKnown } of lost) {
        const found = names.filter((name) => counts.get(name) === 1).length;
        expect(isKnown ? [IN_BATCH] : [0, IN_BATCH]).toContain(found);
      }
      console.log(`${engine}: ${WRITES} writes, ${repeated} of them repeated; ${lost.length} batches without a key`);
    } finally {
      isDone = true;
      for (const { server, proxy } of targets) {
        server.process.kill('SIGKILL');
        await proxy.close();
      }
      await (opened ? opened.drop() : database.close());
      await folder.remove();
    }
  }, 3_600_000);
});
