/** Where an image is cut so that it shows its crop, and its focal point stays in view. */
import type { Crop } from '../../../contract/crop.ts';
import type { FocalPoint } from '../../../contract/focal-point.ts';
import type { ImageSize } from '../../../contract/image-sizes.ts';
import type { Dimensions } from '../image-size.ts';

/** How an image is resized, and what of the result is kept. */
export interface Cut {
  readonly resized: Dimensions;
  readonly kept: Dimensions & { readonly left: number; readonly top: number };
}

/** What people have said about an image. */
export interface View {
  readonly crop?: Crop | undefined;
  readonly focalPoint?: FocalPoint | undefined;
}

const WHOLE: Crop = { x: 0, y: 0, width: 100, height: 100 };

/** One side of an image: its crop in percent, how long it is at most in the size, and the place that stays in view, in percent. */
interface Side {
  readonly start: number;
  readonly share: number;
  readonly most: number;
  readonly point: number;
}

/** The part of `whole` that is kept: within the crop, with the place as near to its middle as the edges allow. */
function partOf(
  whole: number,
  { start, share, most, point }: Side,
): { readonly start: number; readonly length: number } {
  const first = Math.min(Math.round((start / 100) * whole), whole - 1);
  const cropped = Math.min(Math.max(1, Math.round((share / 100) * whole)), whole - first);
  const length = Math.min(most, cropped);
  const wished = Math.round((point / 100) * whole - length / 2);
  return { start: Math.min(Math.max(wished, first), first + cropped - length), length };
}

/** An image is never enlarged: one that is smaller than the size is cut to as much of it as there is. */
export function cutImage(
  source: Dimensions,
  { width = Infinity, height = Infinity, fit }: Pick<ImageSize, 'width' | 'height' | 'fit'>,
  { crop = WHOLE, focalPoint }: View,
): Cut {
  const [across, down] = [width / ((source.width * crop.width) / 100), height / ((source.height * crop.height) / 100)];
  const covers = fit === 'cover' && Math.max(width, height) < Infinity;
  const scale = Math.min(1, covers ? Math.max(across, down) : Math.min(across, down));
  const resized = {
    width: Math.max(1, Math.round(source.width * scale)),
    height: Math.max(1, Math.round(source.height * scale)),
  };
  const { x = crop.x + crop.width / 2, y = crop.y + crop.height / 2 } = focalPoint ?? {};
  const columns = partOf(resized.width, { start: crop.x, share: crop.width, most: width, point: x });
  const rows = partOf(resized.height, { start: crop.y, share: crop.height, most: height, point: y });
  return {
    resized,
    kept: { width: columns.length, height: rows.length, left: columns.start, top: rows.start },
  };
}
