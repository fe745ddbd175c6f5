/** The point of an image that stays in view where it is cut. */

/** In percent of its width and height as the image is seen, from its left and its top: as Strapi has it. */
export interface FocalPoint {
  readonly x: number;
  readonly y: number;
}

/** The attribute of files that have one. */
export const FOCAL_POINT_ATTRIBUTE = 'focalPoint';

/** Steps of a percent: finer ones make no difference to see. */
export const FOCAL_STEPS = 100;
