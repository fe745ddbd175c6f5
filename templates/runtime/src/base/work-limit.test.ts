/** Heavy work is divided among callers, in their turn, and the queue is bounded. */
import { expect, test } from 'vitest';
import { ClientGoneError, ServiceUnavailableError } from '../contract/errors.ts';
import type { Client } from './client.ts';
import { createWorkLimit, type WorkLimit } from './work-limit.ts';

interface Caller extends Client {
  leave(): void;
}

function clientOf(caller: string): Caller {
  const callbacks = new Set<() => void>();
  const client = {
    caller,
    gone: false,
    onGone(callback: () => void) {
      callbacks.add(callback);
      return () => void callbacks.delete(callback);
    },
    leave() {
      client.gone = true;
      for (const callback of callbacks) callback();
    },
  };
  return client;
}

/** Tasks that end when told to. `begun`: their names in the order in which they began. */
function tasksOf(limit: WorkLimit) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    add(name: string, client?: Client): Promise<string> {
      const result = limit.run(async () => {
        begun.push(name);
        await new Promise<void>((resolve) => ends.set(name, resolve));
        return name;
      }, client);
      result.catch(() => undefined);
      return result;
    },
    async end(name: string) {
      ends.get(name)?.();
      await new Promise(setImmediate);
    },
  };
}

test('callers get free slots in turn, and one caller can not have all', async () => {
  const tasks = tasksOf(createWorkLimit({ atOnce: 2, leavesRoom: true, waiting: 10 }));
  for (const name of ['a1', 'a2', 'a3', 'a4']) void tasks.add(name, clientOf('a'));
  for (const name of ['b1', 'b2']) void tasks.add(name, clientOf('b'));
  void tasks.add('c1', clientOf('c'));
  expect(tasks.begun).toEqual(['a1', 'b1']);
  for (const name of ['b1', 'a1', 'b2', 'c1', 'a2']) await tasks.end(name);
  expect(tasks.begun).toEqual(['a1', 'b1', 'b2', 'a2', 'c1', 'a3']);
});

test("the server's own work may have all slots, and by default a caller may, too", async () => {
  const own = tasksOf(createWorkLimit({ atOnce: 2, leavesRoom: true, waiting: 10 }));
  for (const name of ['s1', 's2', 's3']) void own.add(name);
  expect(own.begun).toEqual(['s1', 's2']);
  const shared = tasksOf(createWorkLimit({ atOnce: 2, waiting: 10 }));
  for (const name of ['a1', 'a2', 'a3']) void shared.add(name, clientOf('a'));
  expect(shared.begun).toEqual(['a1', 'a2']);
});

test('a full queue refuses who has most of it, with a time to wait', async () => {
  const limit = createWorkLimit({ atOnce: 1, waiting: 3 });
  const tasks = tasksOf(limit);
  const waiting = ['a1', 'a2', 'a3', 'a4'].map((name) => tasks.add(name, clientOf('a')));
  const refusal = { status: 503, name: 'ServiceUnavailableError', headers: { 'Retry-After': '5' } };
  await expect(tasks.add('a5', clientOf('a'))).rejects.toMatchObject(refusal);
  void tasks.add('b1', clientOf('b'));
  await expect(waiting[3]).rejects.toMatchObject(refusal);
  expect(limit.count()).toEqual({ running: 1, waiting: 3 });
  for (const name of ['a1', 'a2', 'b1', 'a3']) await tasks.end(name);
  expect(tasks.begun.toSorted()).toEqual(['a1', 'a2', 'a3', 'b1']);
  expect(limit.count()).toEqual({ running: 0, waiting: 0 });
});

test('work that waits too long, whose client leaves, or that a stopping server has left is not run', async () => {
  const limit = createWorkLimit({ atOnce: 1, waiting: 3, maxWait: 50 });
  const tasks = tasksOf(limit);
  void tasks.add('a1', clientOf('a'));
  const leaving = clientOf('a');
  const left = tasks.add('a2', leaving);
  leaving.leave();
  await expect(left).rejects.toThrow(ClientGoneError);
  await expect(tasks.add('a3', leaving)).rejects.toThrow(ClientGoneError);
  await expect(tasks.add('b1', clientOf('b'))).rejects.toThrow(ServiceUnavailableError);
  const last = tasks.add('c1', clientOf('c'));
  limit.close();
  await expect(last).rejects.toThrow(ServiceUnavailableError);
  await tasks.end('a1');
  expect(tasks.begun).toEqual(['a1']);
  await expect(tasks.add('d1')).rejects.toThrow(ServiceUnavailableError);
});
