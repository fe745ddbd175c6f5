import { setImmediate as nextRound } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ClientGoneError } from '../contract/errors.ts';
import type { Client } from './client.ts';
import { createTurnQueue, createTurnScheduler } from './turns.ts';

/** Keeps the thread busy, for so many milliseconds. */
function work(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

test('one has its turn in each round, first come, first served', async () => {
  const turns = createTurnQueue();
  const done: string[] = [];
  const all = ['a', 'b', 'c'].map(async (name) => {
    await turns();
    done.push(name);
  });
  const others: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    await nextRound();
    others.push(done.length);
  }
  await Promise.all(all);
  expect(done).toEqual(['a', 'b', 'c']);
  expect(others[0]).toBeLessThan(3);
  expect(turns()).toBeUndefined();
});

test('who has gone before it is their turn has none', async () => {
  const turns = createTurnQueue();
  const client = { caller: 'a', gone: true, onGone: () => () => undefined } satisfies Client;
  expect(turns()).toBeUndefined();
  await expect(turns(client)).rejects.toThrow(ClientGoneError);
});

test('a round has no more than it has time for, and the next ones the rest, in order', async () => {
  const inRounds = createTurnScheduler();
  const done: number[] = [];
  const long = [0, 1, 2, 3].map(
    async (name) =>
      await inRounds(() => {
        work(20);
        return done.push(name);
      }),
  );
  expect(done).toEqual([0]);
  let rounds = 0;
  while (done.length < 4) {
    await nextRound();
    rounds += 1;
  }
  expect(rounds).toBeGreaterThanOrEqual(3);
  expect(await Promise.all(long)).toEqual([1, 2, 3, 4]);
  await nextRound();
  expect([1, 2, 3].map((name) => inRounds(() => name))).toEqual([1, 2, 3]);
});

test('what fails in a later round is rejected', async () => {
  const inRounds = createTurnScheduler();
  void inRounds(() => work(20));
  await expect(
    inRounds(() => {
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
});
