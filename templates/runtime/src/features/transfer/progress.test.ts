import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createProgress } from './progress.ts';

async function told(isTTY: boolean, steps: number): Promise<string[]> {
  const written: string[] = [];
  const progress = createProgress({ isTTY, write: (text) => written.push(text) });
  for (let step = 1; step <= steps; step += 1) {
    await sleep(10);
    progress.report('rows', step, steps);
  }
  progress.clear();
  return written;
}

it('reports nothing for work that ends within the first interval', async () => {
  expect(await told(true, 5)).toEqual([]);
  expect(await told(false, 5)).toEqual([]);
});

it('is throttled, and one updated line on a terminal', async () => {
  const [terminal, file] = await Promise.all([told(true, 150), told(false, 150)]);
  expect(terminal.length).toBeGreaterThan(2);
  expect(terminal.length).toBeLessThan(20);
  expect(terminal.join('')).toMatch(/^(?:\r\u001B\[Krows: \d+ of 150)+\r\u001B\[K$/u);
  expect(file.length).toBeGreaterThan(0);
  expect(file.length).toBeLessThan(5);
  expect(file.join('')).toMatch(/^(?:rows: \d+ of 150\n)+$/u);
});
