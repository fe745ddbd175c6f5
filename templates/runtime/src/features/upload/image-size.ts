/** Width and height of images, read from their headers without decoding. */
import { lazyImport } from '../../base/lazy-import.ts';
import { createTurnQueue } from '../../base/turns.ts';
import { heifSize } from './heif-size.ts';

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

/** `image-size` would look through the rest of the head for each image in a file of these types. */
const BY_BOXES: ReadonlySet<string> = new Set(['image/avif', 'image/heic', 'image/heif']);

const loadImageSize = lazyImport(() => import('image-size'));

/** A malformed JPEG is searched byte by byte, for tens of milliseconds: one per turn of the event loop. */
const turns = createTurnQueue();

/** The size of an image; undefined for other types, and if the header is not readable. */
export async function dimensionsOf(mime: string, head: Uint8Array): Promise<Dimensions | undefined> {
  if (!MEASURED.has(mime)) return undefined;
  const { imageSize } = await loadImageSize();
  await turns();
  try {
    const { width = 0, height = 0 } = (BY_BOXES.has(mime) ? heifSize(head) : imageSize(head)) ?? {};
    const isSize = Number.isSafeInteger(width) && Number.isSafeInteger(height) && width > 0 && height > 0;
    return isSize ? { width, height } : undefined;
  } catch {
    return undefined;
  }
}
