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

/** Those that a size can have beside its own: what clients that take them get at its address. */
export const FURTHER_FORMATS = ['avif', 'webp'] as const satisfies readonly ImageFormat[];

export type FurtherFormat = (typeof FURTHER_FORMATS)[number];

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
  /** Those that it is kept in as well, the preferred ones first. */
  readonly also?: readonly FurtherFormat[];
}

/** The formats that are preferred to a version's own, which has an extension. */
export function preferredTo(ext: string, also: readonly FurtherFormat[]): readonly FurtherFormat[] {
  const own = also.findIndex((format) => IMAGE_FORMATS[format].ext === ext.toLowerCase());
  return own === -1 ? also : also.slice(0, own);
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
