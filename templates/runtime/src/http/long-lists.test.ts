import { expect, test } from 'vitest';
import { listToJson } from './long-lists.ts';

const listOf = (length: number) => ({ entries: () => Array.from({ length }, (_, id) => ({ id })) });
const shown = (entry: unknown) => ({ shown: entry });

test('a list of any length becomes the JSON text of what is shown of its entries', async () => {
  for (const length of [0, 1, 250, 251, 777]) {
    const list = listOf(length);
    expect(await listToJson(list, shown, undefined)).toBe(JSON.stringify(list.entries().map(shown)));
  }
});

test('each turn of the event loop converts a part of one list only', async () => {
  let [inTurn, most, converting] = [0, 0, true];
  const counted = (entry: unknown) => {
    inTurn += 1;
    most = Math.max(most, inTurn);
    return shown(entry);
  };
  const turn = () => {
    inTurn = 0;
    if (converting) setImmediate(turn);
  };
  turn();
  await Promise.all(Array.from({ length: 10 }, () => listToJson(listOf(2000), counted, undefined)));
  converting = false;
  expect(most).toBeLessThanOrEqual(500);
});

test('the rest of a list is not converted for a client that is gone', async () => {
  let [gone, converted] = [false, 0];
  const client = {
    caller: 'a',
    onGone: () => () => undefined,
    get gone() {
      return gone;
    },
  };
  const list = listToJson(listOf(2000), (entry) => ((converted += 1), (gone = true), shown(entry)), client);
  await expect(list).rejects.toThrow('closed the connection');
  expect(converted).toBeLessThanOrEqual(250);
});
