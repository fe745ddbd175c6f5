/** Width and height of images, read from their headers without decoding. */
import { lazyImport } from '../../base/lazy-import.ts';
import { heifSize } from './heif-size.ts';
import { jpegSize } from './jpeg-size.ts';

/** In pixels, as stored: the EXIF orientation is not applied. */
export interface Dimensions {
  readonly width: number;
  readonly height: number;
}

/** The types whose headers are read. Not SVG, whose size can be anything. */
const MEASURED: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/apng',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/heic',
  'image/heif',
  'image/bmp',
  'image/tiff',
  'image/x-icon',
]);

/**
 * Types for which `image-size` takes too long: it looks through the rest of the head for each image in a HEIF file, and searches a
 * malformed JPEG byte by byte.
 */
const OWN_READERS: ReadonlyMap<string, (head: Uint8Array) => Dimensions | undefined> = new Map([
  ['image/jpeg', jpegSize],
  ['image/avif', heifSize],
  ['image/heic', heifSize],
  ['image/heif', heifSize],
]);

const loadImageSize = lazyImport(() => import('image-size'));

/** The size of an image; undefined for other types, and if the header is not readable. */
export async function dimensionsOf(mime: string, head: Uint8Array): Promise<Dimensions | undefined> {
  if (!MEASURED.has(mime)) return undefined;
  const read = OWN_READERS.get(mime) ?? (await loadImageSize()).imageSize;
  try {
    const { width = 0, height = 0 } = read(head) ?? {};
    const isSize = Number.isSafeInteger(width) && Number.isSafeInteger(height) && width > 0 && height > 0;
    return isSize ? { width, height } : undefined;
  } catch {
    return undefined;
  }
}
