/** What is shown of an image while it loads. Loaded only if images have placeholders. */
import { rgbaToThumbHash } from 'thumbhash';
import type { SharpImage } from '../image-formats.ts';

/** The longest side, in pixels, of what a ThumbHash is made of. */
export const HASHED_SIDE = 100;

/** The ThumbHash of an image, in base64. */
export async function thumbHashOf(image: SharpImage): Promise<string> {
  const { data, info } = await image
    .rotate()
    .resize({ width: HASHED_SIDE, height: HASHED_SIDE, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64');
}
