/** Attempts that are counted in memory take a limited amount of it. */
import { expect, test } from 'vitest';
import { memoryAttemptCounter } from './memory-attempt-counter.ts';

test('windows end in time, or before if there are too many', async () => {
  let now = 1_700_000_000_000;
  const counter = memoryAttemptCounter(() => now);
  const add = async (name: string) => (await counter.add(name, 60)).attempts;
  expect(await counter.add('ann', 60)).toEqual({ attempts: 1, endsIn: 60_000 });
  now += 59_999;
  expect(await counter.add('ann', 60)).toEqual({ attempts: 2, endsIn: 1 });
  // Windows of other lengths are apart from these.
  expect(await counter.add('carl', 900)).toEqual({ attempts: 1, endsIn: 900_000 });
  now += 1;
  expect(await counter.add('ann', 60)).toEqual({ attempts: 1, endsIn: 60_000 });
  await counter.reset('ann');
  expect(await add('ann')).toBe(1);

  // The window that began first makes room for the last of these.
  for (let index = 1; index <= 50_000; index += 1) await counter.add(`name ${index}`, 60);
  expect(await add('name 2')).toBe(2);
  expect(await add('name 50000')).toBe(2);
  expect(await add('ann')).toBe(1);
  expect(await counter.add('carl', 900)).toEqual({ attempts: 2, endsIn: 839_999 + 60_000 });
});
