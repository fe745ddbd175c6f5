import { expect, test, vi } from 'vitest';
import { callCounter } from './call-counter.ts';

test('callers are counted in windows of their own, and the most are bounded', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const count = callCounter({ limit: 2, seconds: 10 });
    count('ann');
    count('ann');
    expect(() => count('ann')).toThrow();
    count('bob');
    vi.advanceTimersByTime(10_001);
    count('ann');
    count('bob');
    count('bob');
    expect(() => count('bob')).toThrow();
    // Ann called before Bob, and is forgotten first.
    for (let index = 0; index < 99_999; index += 1) count(`caller ${index}`);
    count('ann');
    count('ann');
    expect(() => count('ann')).toThrow();
  } finally {
    vi.useRealTimers();
  }
});

test('a counter without calls reserves nothing', () => {
  const before = process.memoryUsage().heapUsed;
  const counters = Array.from({ length: 50 }, () => callCounter({ limit: 1, seconds: 60 }));
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(5_000_000);
  expect(counters).toHaveLength(50);
});
