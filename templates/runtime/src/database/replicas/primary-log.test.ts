/** How far a replica lags, according to the history of the primary's log positions. */
import { expect, it } from 'vitest';
import { createPrimaryLog } from './primary-log.ts';

it('knows the lag of a state', () => {
  const log = createPrimaryLog(1000);
  expect(log.delayOf(5)).toBe(Infinity);
  for (const at of [0, 200, 400]) log.add({ at, position: 10 + at / 20 });
  expect(log.delayOf(30)).toBe(0);
  expect(log.delayOf(29)).toBe(200);
  expect(log.delayOf(9)).toBe(Infinity);
});

it('reports no lag while nothing is written', () => {
  const log = createPrimaryLog(1000);
  for (let at = 0; at < 100_000; at += 200) log.add({ at, position: 10 });
  expect(log.delayOf(10)).toBe(0);
  log.add({ at: 100_000, position: 20 });
  expect(log.delayOf(10)).toBe(200);
});

it('forgets what is older than its memory', () => {
  const log = createPrimaryLog(1000);
  for (let at = 0; at <= 10_000; at += 200) log.add({ at, position: at });
  expect(log.delayOf(9000)).toBe(1000);
  expect(log.delayOf(100)).toBe(Infinity);
});
