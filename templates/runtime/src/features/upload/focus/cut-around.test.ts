import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cutAround } from './cut-around.ts';

const sides = (most: number) =>
  fc.record({ width: fc.integer({ min: 1, max: most }), height: fc.integer({ min: 1, max: most }) });
const percent = fc.integer({ min: 0, max: 10_000 }).map((step) => step / 100);

it('keeps the focal point, as near to the middle as the edges allow, and enlarges nothing', () => {
  fc.assert(
    fc.property(sides(65_535), sides(4096), percent, percent, (source, size, x, y) => {
      const { resized, kept } = cutAround(source, size, { x, y });
      for (const [side, start, point] of [
        ['width', kept.left, x],
        ['height', kept.top, y],
      ] as const) {
        expect(resized[side]).toBeLessThanOrEqual(source[side]);
        expect(kept[side]).toBe(Math.min(size[side], resized[side]));
        const end = start + kept[side];
        expect(Number.isInteger(start) && start >= 0 && end <= resized[side]).toBe(true);
        const at = (point / 100) * resized[side];
        expect(at >= start - 0.5 && at <= end + 0.5).toBe(true);
        const isAtEdge = start === 0 || end === resized[side];
        expect(isAtEdge || Math.abs((start + end) / 2 - at) <= 0.5).toBe(true);
      }
      // One side of what is large enough is not cut at all.
      const isLarge = source.width >= size.width && source.height >= size.height;
      const isWhole = kept.width === resized.width || kept.height === resized.height;
      expect(!isLarge || isWhole).toBe(true);
    }),
  );
});
