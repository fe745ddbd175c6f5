/** What is shown of an image while it loads. Loaded only if images have placeholders. */
import { rgbaToThumbHash } from 'thumbhash';
import type { SharpImage } from '../image-formats.ts';

/** The ThumbHash, in base64, of an image whose sides are at most 100 pixels long. */
export async function thumbHashOf(image: SharpImage): Promise<string> {
  const { data, info } = await image.toColourspace('srgb').ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64');
}
