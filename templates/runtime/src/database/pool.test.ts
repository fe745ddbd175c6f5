/** The pool and its lanes: no lane exceeds its share, and every caller is served. */
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createPool, type Pooled } from './pool.ts';

interface Link extends Pooled {
  usable: boolean;
}

const caller = fc.record({
  lane: fc.constantFrom('read' as const, 'write' as const),
  /** When it arrives, and how long it holds the connection, in milliseconds. */
  at: fc.nat(8),
  takes: fc.nat(4),
  breaks: fc.boolean(),
});

it('R06: keeps to the limits of all lanes, and serves the callers of each lane in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 4 }),
      fc.array(caller, { minLength: 1, maxLength: 30 }),
      async (size, writeLimit, callers) => {
        let open = 0;
        const pool = createPool<Link, 'read' | 'write'>({
          connect: async () => {
            open += 1;
            expect(open).toBeLessThanOrEqual(size);
            await sleep(1);
            const link: Link = {
              usable: true,
              close: async () => {
                await sleep(1);
                open -= 1;
              },
            };
            return link;
          },
          size,
          lanes: { read: size, write: writeLimit },
          acquireTimeout: 10_000,
          idleTimeout: 10_000,
          maxWaiting: 100,
        });
        const held = { read: 0, write: 0 };
        const asked = { read: [] as number[], write: [] as number[] };
        const served = { read: [] as number[], write: [] as number[] };
        await Promise.all(
          callers.map(async ({ lane, at, takes, breaks }, index) => {
            await sleep(at);
            asked[lane].push(index);
            const link = await pool.acquire(lane);
            served[lane].push(index);
            expect(link.usable).toBe(true);
            held[lane] += 1;
            expect(held.write).toBeLessThanOrEqual(writeLimit);
            await sleep(takes);
            held[lane] -= 1;
            link.usable = !breaks;
            pool.release(link, lane);
          }),
        );
        expect(served).toStrictEqual(asked);
        await pool.close();
        expect(open).toBe(0);
      },
    ),
    { numRuns: 60 },
  );
});
