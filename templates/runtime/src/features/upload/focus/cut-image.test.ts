import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cutImage } from './cut-image.ts';

const sides = (most: number) =>
  fc.record({ width: fc.integer({ min: 1, max: most }), height: fc.integer({ min: 1, max: most }) });
const percent = fc.integer({ min: 0, max: 10_000 }).map((step) => step / 100);

it('keeps the focal point, as near to the middle as the edges allow, and enlarges nothing', () => {
  fc.assert(
    fc.property(sides(65_535), sides(4096), percent, percent, (source, size, x, y) => {
      const { resized, kept } = cutImage(source, { ...size, fit: 'cover' }, { focalPoint: { x, y } });
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

it('shows what is in the crop and nothing else, whole or around the focal point', () => {
  const crops = fc.tuple(percent, percent, percent, percent).map(([x, y, across, down]) => {
    const [left, top] = [Math.min(x, 99), Math.min(y, 99)];
    const part = (rest: number, share: number): number => Math.max(1, (rest * share) / 100);
    return { x: left, y: top, width: part(100 - left, across), height: part(100 - top, down) };
  });
  const fit = fc.constantFrom('inside' as const, 'cover' as const);
  fc.assert(
    fc.property(sides(65_535), sides(4096), crops, fit, fc.option(percent), (source, size, crop, how, at) => {
      const focalPoint = at === null ? undefined : { x: at, y: at };
      const { resized, kept } = cutImage(source, { ...size, fit: how }, { crop, focalPoint });
      for (const [side, start, first, share] of [
        ['width', kept.left, crop.x, crop.width],
        ['height', kept.top, crop.y, crop.height],
      ] as const) {
        expect(resized[side]).toBeLessThanOrEqual(source[side]);
        expect(kept[side]).toBeGreaterThanOrEqual(1);
        expect(kept[side]).toBeLessThanOrEqual(size[side]);
        expect(Number.isInteger(start) && start >= 0 && start + kept[side] <= resized[side]).toBe(true);
        // Of an image of few pixels, the crop begins and ends in the middle of one.
        const [begin, end] = [(first / 100) * resized[side], ((first + share) / 100) * resized[side]];
        expect(start).toBeGreaterThanOrEqual(Math.min(begin - 0.5, resized[side] - 1));
        expect(start + kept[side]).toBeLessThanOrEqual(Math.max(end, begin + 1) + 1);
        if (how === 'inside') expect(kept[side]).toBe(Math.min(size[side], Math.max(1, kept[side])));
      }
      // What fits inside is the whole crop, as far as pixels go.
      const isWhole = (['width', 'height'] as const).every(
        (side) => Math.abs(kept[side] - Math.max(1, (resized[side] * crop[side]) / 100)) <= 1,
      );
      expect(how === 'cover' || isWhole).toBe(true);
    }),
  );
});
