import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cropBetween, fitted } from './crop-area.ts';

it('a crop is within the image, wherever it is drawn and whatever is typed', () => {
  const any = fc.double({ min: -50, max: 150, noNaN: true });
  fc.assert(
    fc.property(any, any, any, any, (a, b, c, d) => {
      for (const crop of [fitted({ x: a, y: b, width: c, height: d }), cropBetween({ x: a, y: b }, { x: c, y: d })]) {
        expect(Math.min(crop.x, crop.y)).toBeGreaterThanOrEqual(0);
        expect(Math.min(crop.width, crop.height)).toBeGreaterThanOrEqual(1);
        expect(Math.round((crop.x + crop.width) * 100)).toBeLessThanOrEqual(10_000);
        expect(Math.round((crop.y + crop.height) * 100)).toBeLessThanOrEqual(10_000);
        expect(fitted(crop)).toEqual(crop);
      }
    }),
  );
});

it('is drawn in any direction', () => {
  const crop = { x: 10, y: 20, width: 30, height: 40 };
  expect(cropBetween({ x: 10, y: 20 }, { x: 40, y: 60 })).toEqual(crop);
  expect(cropBetween({ x: 40, y: 20 }, { x: 10, y: 60 })).toEqual(crop);
});
