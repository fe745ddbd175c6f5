/** The smaller versions that uploaded images get, in `formats` of a file. */

/** How an image fits into a size: whole, or cut to its shape. */
export const IMAGE_FITS = ['inside', 'cover'] as const;

/** The formats of versions, as `sharp` calls them, with their media types and extensions. */
export const IMAGE_FORMATS = {
  avif: { mime: 'image/avif', ext: '.avif' },
  jpeg: { mime: 'image/jpeg', ext: '.jpg' },
  png: { mime: 'image/png', ext: '.png' },
  webp: { mime: 'image/webp', ext: '.webp' },
} as const;

export type ImageFormat = keyof typeof IMAGE_FORMATS;

export interface ImageSize {
  /** Its key in `formats`, and the beginning of its file's name: `thumbnail`. */
  readonly name: string;
  /** In pixels. At least one of the two is there. Images are never enlarged. */
  readonly width?: number;
  readonly height?: number;
  /** Default: `inside`. */
  readonly fit?: (typeof IMAGE_FITS)[number];
  /** Default: that of the image. */
  readonly format?: ImageFormat;
}

/** The sizes of Strapi. */
export const DEFAULT_SIZES: readonly ImageSize[] = [
  { name: 'thumbnail', width: 245, height: 156 },
  { name: 'large', width: 1000, height: 1000 },
  { name: 'medium', width: 750, height: 750 },
  { name: 'small', width: 500, height: 500 },
];

/** Names of sizes: part of the names of stored files. */
export const SIZE_NAME = /^[a-z][a-z0-9]{0,19}$/u;

/** The limits of a schema's sizes: what an upload may cost. */
export const SIZE_LIMITS = { side: 4096, sizes: 12 } as const;
