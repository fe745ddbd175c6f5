/** Where an image is cut so that its focal point stays in view. */
import type { FocalPoint } from '../../../contract/focal-point.ts';
import type { Dimensions } from '../image-size.ts';

/** How an image is resized, and what of the result is kept. */
export interface Cut {
  readonly resized: Dimensions;
  readonly kept: Dimensions & { readonly left: number; readonly top: number };
}

/** Where a part of `length` begins in `whole`, so that a place, in percent, is as near to its middle as the edges allow. */
function startOf(whole: number, length: number, percent: number): number {
  return Math.min(Math.max(Math.round((percent / 100) * whole - length / 2), 0), whole - length);
}

/** An image is never enlarged: one that is smaller than the size is cut to as much of it as there is. */
export function cutAround(source: Dimensions, size: Dimensions, { x, y }: FocalPoint): Cut {
  const scale = Math.min(1, Math.max(size.width / source.width, size.height / source.height));
  const resized = {
    width: Math.max(1, Math.round(source.width * scale)),
    height: Math.max(1, Math.round(source.height * scale)),
  };
  const [width, height] = [Math.min(size.width, resized.width), Math.min(size.height, resized.height)];
  return {
    resized,
    kept: { width, height, left: startOf(resized.width, width, x), top: startOf(resized.height, height, y) },
  };
}
