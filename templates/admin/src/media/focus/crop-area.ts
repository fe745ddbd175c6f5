/** Crops as they are drawn and typed: always within the image. */
import { type Crop, SMALLEST_CROP } from '../../../../runtime/src/contract/crop.ts';

export const WHOLE: Crop = { x: 0, y: 0, width: 100, height: 100 };

/** A place on the image, in percent. */
interface Place {
  readonly x: number;
  readonly y: number;
}

function between(least: number, value: number, most: number): number {
  return Math.round(Math.min(most, Math.max(least, value)) * 10) / 10;
}

/** The crop that is nearest: it keeps its corner, if there is room. */
export function fitted({ x, y, width, height }: Crop): Crop {
  const [left, top] = [between(0, x, 100 - SMALLEST_CROP), between(0, y, 100 - SMALLEST_CROP)];
  return {
    x: left,
    y: top,
    width: between(SMALLEST_CROP, width, 100 - left),
    height: between(SMALLEST_CROP, height, 100 - top),
  };
}

/** The crop with two places as opposite corners. */
export function cropBetween(one: Place, other: Place): Crop {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
  return fitted({ x, y, width: Math.abs(one.x - other.x), height: Math.abs(one.y - other.y) });
}
