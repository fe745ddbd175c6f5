/** The part of an image that its sizes show. */

/** In percent of the width and height of the image as it is seen, from its left and its top. */
export interface Crop {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The attribute of files that have one. */
export const CROP_ATTRIBUTE = 'crop';

/** In percent. */
export const SMALLEST_CROP = 1;
