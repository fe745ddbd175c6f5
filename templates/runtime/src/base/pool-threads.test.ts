import { expect, test } from 'vitest';
import { hashPassword } from './password.ts';
import { onPoolThread } from './pool-threads.ts';

test('long work leaves one of the four threads of the pool to files, whatever it is', async () => {
  const order: string[] = [];
  const held: (() => void)[] = [];
  const hold = () => onPoolThread(() => new Promise<void>((resolve) => held.push(resolve)));
  const all = [hold(), hold(), hold(), hold()];
  expect(held).toHaveLength(3);
  const hash = hashPassword('a password').then(() => order.push('hash'));
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(order).toEqual([]);
  while (held.length > 0) {
    held.shift()?.();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await Promise.all([...all, hash]);
  expect(order).toEqual(['hash']);
});
