/** Generates resized versions of images with `sharp`, if it is installed. */
import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import type { Client } from '../../base/client.ts';
import { onPoolThread } from '../../base/pool-threads.ts';
import { createWorkLimit } from '../../base/work-limit.ts';
import { ClientGoneError } from '../../contract/errors.ts';
import { type FurtherFormat, IMAGE_FORMATS, type ImageSize, preferredTo } from '../../contract/image-sizes.ts';
import { IMAGE_LIMITS } from '../../contract/limits.ts';
import { cutImage, type View } from './focus/cut-image.ts';
import type { Dimensions } from './image-size.ts';
import type { TempFile, TempFolder } from '../../storage/temp-folder.ts';

/** The properties of an image in its header. `depth` is the type of a channel's values: `uchar`, `ushort`, … */
interface ImageHeader extends Partial<Dimensions> {
  /** As in EXIF: from 5 on, the image is seen with its sides exchanged. */
  readonly orientation?: number;
  readonly channels?: number;
  readonly depth?: string;
  readonly isProgressive?: boolean;
}

/** The part of sharp's interface that is used. */
export interface SharpImage {
  metadata(): Promise<ImageHeader>;
  rotate(): SharpImage;
  resize(options: {
    width?: number | undefined;
    height?: number | undefined;
    fit: 'inside' | 'cover' | 'fill';
    withoutEnlargement: true;
  }): SharpImage;
  extract(region: Dimensions & { readonly left: number; readonly top: number }): SharpImage;
  flatten(options: { background: string }): SharpImage;
  timeout(options: { seconds: number }): SharpImage;
  toColourspace(name: 'srgb'): SharpImage;
  ensureAlpha(): SharpImage;
  raw(): SharpImage;
  toBuffer(options: { resolveWithObject: true }): Promise<{ readonly data: Buffer; readonly info: Dimensions }>;
  toFile(path: string): Promise<Dimensions & { readonly size: number }>;
  toFormat(format: string, options?: { effort: number }): SharpImage;
}

export type Sharp = (path: string, options: { limitInputPixels: number; pages: number }) => SharpImage;

/** One resized version. */
export interface ImageCopy extends Dimensions {
  /** `thumbnail`, `large`, `medium`, `small`, or a size of the schema. */
  readonly name: string;
  /** Its key in `formats`: its name, or `thumbnail_avif` for another format of it. */
  readonly key: string;
  readonly mime: string;
  readonly ext: string;
  readonly file: Pick<TempFile, 'path' | 'size' | 'sha256'>;
}

/** The types that are resized, with their names in `sharp`. */
const RESIZED: ReadonlyMap<string, string> = new Map([
  ['image/jpeg', 'jpeg'],
  ['image/png', 'png'],
  ['image/webp', 'webp'],
  ['image/avif', 'avif'],
  ['image/tiff', 'tiff'],
]);

/** The types that have placeholders. Of those with several pictures, the first one counts. */
const HASHED: ReadonlySet<string> = new Set([...RESIZED.keys(), 'image/gif']);

/** What a ThumbHash is made of: its longest side is 100 pixels. */
const HASHED_SIZE: ImageSize = { name: 'placeholder', width: 100, height: 100 };

/** How much an encoder tries: the next step of AVIF takes three times as long, and saves a few percent. */
const EFFORT: Readonly<Record<FurtherFormat, { readonly effort: number }>> = {
  avif: { effort: 1 },
  webp: { effort: 4 },
};

/** The memory, per pixel, that an encoder needs: as measured. */
const ENCODER_BYTES: Readonly<Record<FurtherFormat, number>> = { avif: 40, webp: 10 };

const TIMEOUT_SECONDS = 20;

/** Loads `sharp`; undefined if it is not installed. */
export async function loadSharp(): Promise<Sharp | undefined> {
  const name = 'sharp';
  try {
    return ((await import(name)) as { readonly default: Sharp }).default;
  } catch {
    return undefined;
  }
}

/** What is made of an image when it is stored. */
export interface Versions {
  readonly copies: readonly ImageCopy[];
  /** Null also if images have none. */
  readonly placeholder: string | null;
}

interface CopyTools {
  readonly sharp: Sharp;
  readonly temp: TempFolder;
  readonly maxPixels: number;
  readonly sizes: readonly ImageSize[];
  /** Makes the placeholder of a small image, if images have one. */
  readonly placeholderOf?: ((image: SharpImage) => Promise<string>) | undefined;
  /** If it disconnects, no further copy is made: ClientGoneError. */
  readonly client?: Client | undefined;
}

/** An image of a type that is resized. */
interface Source extends View {
  readonly path: string;
  readonly mime: string;
  readonly ext: string;
  readonly dimensions: Dimensions;
}

/** Orientations with exchanged sides. */
const TURNED = 5;

/** The image in a size, of what its crop shows, and cut around its focal point. */
async function inSize(
  image: SharpImage,
  { focalPoint, crop }: Source,
  { width, height, fit = 'inside' }: ImageSize,
): Promise<SharpImage> {
  const isCut = crop !== undefined || (focalPoint !== undefined && fit === 'cover');
  if (!isCut) return image.rotate().resize({ width, height, fit, withoutEnlargement: true });
  const { width: across = 1, height: down = 1, orientation = 1 } = await image.metadata();
  const seen = orientation >= TURNED ? { width: down, height: across } : { width: across, height: down };
  const { resized, kept } = cutImage(
    seen,
    { ...(width && { width }), ...(height && { height }), fit },
    { focalPoint, crop },
  );
  return image
    .rotate()
    .resize({ ...resized, fit: 'fill', withoutEnlargement: true })
    .extract(kept);
}

/** An image in a size and in the format of the size, or in a further one. */
async function makeCopy(
  source: Source,
  size: ImageSize,
  { sharp, temp, maxPixels }: CopyTools,
  further?: FurtherFormat,
): Promise<ImageCopy> {
  const path = temp.newPath();
  const { mime, ext } = source;
  const { name } = size;
  const format = further ?? size.format;
  try {
    const image = sharp(source.path, { limitInputPixels: maxPixels, pages: 1 }).timeout({ seconds: TIMEOUT_SECONDS });
    const resized = await inSize(image, source, size);
    // JPEG has no transparency, which would become black.
    const opaque = size.format === 'jpeg' ? resized.flatten({ background: '#ffffff' }) : resized;
    const encoded = opaque.toFormat(format ?? RESIZED.get(mime) ?? '', further && EFFORT[further]);
    const made = await onPoolThread(() => encoded.toFile(path));
    const sha256 = createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
    const type = format ? IMAGE_FORMATS[format] : { mime, ext };
    const key = further ? `${name}_${further}` : name;
    return { name, key, ...type, width: made.width, height: made.height, file: { path, size: made.size, sha256 } };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/** A copy in a further format; undefined if it can't be made, or is not smaller. */
async function makeFurther(
  source: Source,
  size: ImageSize,
  tools: CopyTools,
  { own, format }: { readonly own: ImageCopy; readonly format: FurtherFormat },
): Promise<ImageCopy | undefined> {
  if (own.width * own.height * ENCODER_BYTES[format] > IMAGE_LIMITS.memory) return undefined;
  const copy = await makeCopy(source, size, tools, format).catch(() => undefined);
  if (!copy || copy.file.size < own.file.size) return copy;
  await rm(copy.file.path, { force: true });
  return undefined;
}

/** Whether an image gets a version: one that is smaller, or is cut, or has another format. */
function isWanted({ dimensions, mime, crop }: Source, { width, height, fit, format }: ImageSize): boolean {
  const isSmaller = dimensions.width > (width ?? Infinity) || dimensions.height > (height ?? Infinity);
  return (
    isSmaller || crop !== undefined || fit === 'cover' || (format !== undefined && IMAGE_FORMATS[format].mime !== mime)
  );
}

const BYTES: ReadonlyMap<string | undefined, number> = new Map([
  ['uchar', 1],
  ['ushort', 2],
  ['float', 4],
]);

/** Types that the library decodes as a whole: a TIFF may consist of a single strip. */
const DECODED_WHOLE: ReadonlySet<string> = new Set(['image/avif', 'image/gif', 'image/tiff', 'image/webp']);

/** Rows of a copy that the library makes at once, each of as many rows of the source as it is smaller. */
const STRIP = 8;
/**
 * How often it holds these rows, as measured with the most unfavorable shapes on busy machines, where freed memory is returned late.
 * With transparency it calculates with floats.
 */
const TIMES_HELD = { opaque: 6, transparent: 9 };
/** JPEGs can be decoded to an eighth of their size. */
const MAX_SHRINK = 8;

/** How many times smaller than the source the smallest copy is, whichever way the image is turned. */
function ratioOf(width: number, height: number, sizes: readonly ImageSize[]): number {
  const longest = Math.max(width, height);
  return Math.max(1, ...sizes.map((size) => longest / Math.min(size.width ?? longest, size.height ?? longest)));
}

/** The memory, in bytes, that the library needs for an image: some of its rows, or all of it. */
function memoryFor(
  mime: string,
  { width = 0, height = 0, channels = 4, depth, isProgressive }: ImageHeader,
  sizes: readonly ImageSize[],
): number {
  const pixel = channels * (BYTES.get(depth) ?? 8);
  // WebP is decoded to four channels, whether or not it has transparency.
  if (mime === 'image/webp') return width * height * 4;
  if (isProgressive === true || DECODED_WHOLE.has(mime)) return width * height * pixel;
  const ratio = ratioOf(width, height, sizes);
  const shrink = mime === 'image/jpeg' ? Math.min(MAX_SHRINK, ratio) : 1;
  const rows = Math.min(height / shrink, (STRIP * ratio) / shrink);
  return (width / shrink) * rows * pixel * (channels % 2 === 0 ? TIMES_HELD.transparent : TIMES_HELD.opaque);
}

/** Whether resizing an image takes little memory. Small files may have many pixels. */
async function canBeResized(
  { path, mime }: Source,
  { sharp, maxPixels, sizes }: Pick<CopyTools, 'sharp' | 'maxPixels' | 'sizes'>,
): Promise<boolean> {
  const header = await sharp(path, { limitInputPixels: maxPixels, pages: 1 }).metadata();
  return memoryFor(mime, header, sizes) <= IMAGE_LIMITS.memory;
}

const limit = createWorkLimit({ ...IMAGE_LIMITS, leavesRoom: true });

async function copiesOf(source: Source, wanted: readonly ImageSize[], tools: CopyTools): Promise<readonly ImageCopy[]> {
  const copies: ImageCopy[] = [];
  try {
    if (wanted.length === 0 || !(await canBeResized(source, tools))) return [];
    for (const size of wanted) {
      if (tools.client?.gone) throw new ClientGoneError();
      const own = await makeCopy(source, size, tools);
      copies.push(own);
      for (const format of preferredTo(own.ext, size.also ?? [])) {
        if (tools.client?.gone) throw new ClientGoneError();
        const further = await makeFurther(source, size, tools, { own, format });
        if (further) copies.push(further);
      }
    }
    return copies;
  } catch (error) {
    for (const { file } of copies) await rm(file.path, { force: true });
    if (error instanceof ClientGoneError) throw error;
    return [];
  }
}

async function placeholderOf(
  source: Source,
  make: NonNullable<CopyTools['placeholderOf']>,
  { sharp, maxPixels }: CopyTools,
): Promise<string | null> {
  try {
    if (!(await canBeResized(source, { sharp, maxPixels, sizes: [HASHED_SIZE] }))) return null;
    const image = sharp(source.path, { limitInputPixels: maxPixels, pages: 1 }).timeout({ seconds: TIMEOUT_SECONDS });
    const resized = await inSize(image, source, HASHED_SIZE);
    return await onPoolThread(() => make(resized));
  } catch {
    return null;
  }
}

/**
 * Resizes an image into temporary files, and makes its placeholder. There are none of an image that is too small, or can't be decoded:
 * it is kept without. Throws ClientGoneError.
 */
export function makeVersions(source: Source, tools: CopyTools): Promise<Versions> {
  const wanted = RESIZED.has(source.mime) ? tools.sizes.filter((size) => isWanted(source, size)) : [];
  const make = HASHED.has(source.mime) ? tools.placeholderOf : undefined;
  if (wanted.length === 0 && !make) return Promise.resolve({ copies: [], placeholder: null });
  return limit.run(async () => {
    // First: if copies were made before, a failure would have to remove them.
    const placeholder = make ? await placeholderOf(source, make, tools) : null;
    return { copies: await copiesOf(source, wanted, tools), placeholder };
  }, tools.client);
}
