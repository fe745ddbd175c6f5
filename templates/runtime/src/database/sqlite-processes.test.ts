/** Processes that read a SQLite file: shared by many callers, and returned whatever happens to the caller. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ClientGoneError, QueryTooSlowError } from '../contract/errors.ts';
import type { Client } from '../base/client.ts';
import { connectSqlite } from './sqlite-connection.ts';
import { PROGRAM } from './sqlite-process-program.ts';
import { createReadProcesses, type ReadProcesses } from './sqlite-processes.ts';

let folder: string;
let path: string;
const limits = { publicTimeout: 0, readTimePerMinute: 0 };
let processes: ReadProcesses;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'read-processes-'));
  path = join(folder, 'data.db');
  const connection = connectSqlite(path, { readOnly: false, busyTimeout: 1000 });
  connection.exec('PRAGMA journal_mode = WAL; CREATE TABLE words (id integer PRIMARY KEY, word text)');
  connection.exec("INSERT INTO words (word) VALUES ('a'), ('b'), ('c')");
  connection.close();
  processes = createReadProcesses({ path, maxLength: 1_000_000, ...limits, statementTimeout: 60_000, most: 2 });
});
afterAll(async () => {
  processes.close();
  await rm(folder, { recursive: true });
});

const statement = (text: string) => ({ text, params: [] });

/** A statement that takes minutes. */
const ENDLESS = statement(
  'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000000000) SELECT COUNT(*) AS n FROM n',
);
const WORDS = statement('SELECT word FROM words ORDER BY id');

/** A client that disconnects when told to. */
function client(caller = 'a'): Client & { leave(): void } {
  const callbacks = new Set<() => void>();
  let gone = false;
  return {
    caller,
    get gone() {
      return gone;
    },
    onGone(callback) {
      callbacks.add(callback);
      return () => void callbacks.delete(callback);
    },
    leave() {
      gone = true;
      for (const callback of callbacks) callback();
    },
  };
}

it('S01: many callers share them in turn, and a client that disconnects makes room', async () => {
  const leaving = [client(), client(), client()];
  const stuck = Promise.allSettled(leaving.map((each) => processes.run(each, (process) => process.all(ENDLESS))));
  const words = Array.from({ length: 5 }, () => processes.run(undefined, (process) => process.all(WORDS)));
  for (const each of leaving) each.leave();
  for (const each of await stuck) expect(each).toMatchObject({ reason: expect.any(ClientGoneError) });
  for (const each of words) expect(await each).toEqual([{ word: 'a' }, { word: 'b' }, { word: 'c' }]);
});

it('one caller leaves a process to the others, however many reads it has', async () => {
  const greedy = Array.from({ length: 4 }, () => client('greedy'));
  const stuck = Promise.allSettled(greedy.map((each) => processes.run(each, (process) => process.all(ENDLESS))));
  expect(await processes.run(client('other'), (process) => process.all(WORDS))).toHaveLength(3);
  expect(processes.count()).toEqual({ running: 1, waiting: 3 });
  for (const each of greedy) each.leave();
  await stuck;
});

it('S02: a statement has a time limit, and an error leaves the process usable', async () => {
  const strict = createReadProcesses({ path, maxLength: 1_000_000, ...limits, statementTimeout: 200, most: 2 });
  await expect(strict.run(undefined, (process) => process.all(ENDLESS))).rejects.toThrow(QueryTooSlowError);
  await expect(strict.run(undefined, (process) => process.all(statement('SELECT missing FROM words')))).rejects.toThrow(
    'no such column',
  );
  await expect(strict.run(undefined, (process) => process.all(statement('DELETE FROM words')))).rejects.toThrow(
    'readonly',
  );
  expect(await strict.run(undefined, (process) => process.all(WORDS))).toHaveLength(3);
  strict.close();
});

/** Starts a reader on an endless statement, and prints its process id. */
const SERVER = `
const { spawn } = require('node:child_process');
const [, program, driver, path, text] = process.argv;
const child = spawn(process.execPath, ['-e', program, driver, path, '1000000'], {
  stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  serialization: 'advanced',
});
child.once('message', () => child.send({ text, params: [] }, () => console.log(child.pid)));
`;

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it('a reader ends soon after its server is killed, also in the middle of a statement', async () => {
  const driver = createRequire(import.meta.url).resolve('@photostructure/sqlite');
  const server = spawn(process.execPath, ['-e', SERVER, PROGRAM, driver, path, ENDLESS.text]);
  const [output] = (await once(server.stdout, 'data')) as [Buffer];
  const reader = Number(output);
  expect(isRunning(reader)).toBe(true);
  server.kill('SIGKILL');
  await once(server, 'exit');
  await vi.waitUntil(() => !isRunning(reader), { timeout: 20_000, interval: 100 });
});
