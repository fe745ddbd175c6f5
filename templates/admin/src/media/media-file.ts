import type { Crop } from '../../../runtime/src/contract/crop.ts';
import type { FocalPoint } from '../../../runtime/src/contract/focal-point.ts';

/** A file of the media library, as the API returns it. */
export interface MediaFile {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly mime: string;
  readonly ext?: string | null;
  /** In kilobytes. */
  readonly size?: number;
  readonly width?: number | null;
  readonly height?: number | null;
  readonly alternativeText?: string | null;
  readonly caption?: string | null;
  /** Only if images have focal points. */
  readonly focalPoint?: FocalPoint | null;
  /** Only if images have crops. */
  readonly crop?: Crop | null;
  /** Only if files have tags. */
  readonly tags?: readonly string[];
  /** Only if images have placeholders. */
  readonly placeholder?: string | null;
  readonly formats?: Readonly<Record<string, { readonly url: string }>> | null;
}

/** An address without its signature, which is valid for a short time only. */
function unsigned(url: string): string {
  return url.replace(/\?expires=\d+&signature=[\w-]+$/u, '');
}

/** A file whose addresses can be stored in a text. */
export function storable<File extends Pick<MediaFile, 'url' | 'formats'>>(file: File): File {
  const { url, formats } = file;
  const copies = Object.entries(formats ?? {}).map(([name, copy]) => [name, { ...copy, url: unsigned(copy.url) }]);
  return { ...file, url: unsigned(url), ...(formats && { formats: Object.fromEntries(copies) as typeof formats }) };
}

export type MediaKind = 'image' | 'video' | 'audio' | 'file';

export function kindOf({ mime }: Pick<MediaFile, 'mime'>): MediaKind {
  const [kind] = mime.split('/');
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : 'file';
}

/** The focal point within what the sizes of an image show. */
export function shownPoint({ focalPoint, crop }: Pick<MediaFile, 'focalPoint' | 'crop'>): FocalPoint {
  if (!focalPoint) return { x: 50, y: 50 };
  if (!crop) return focalPoint;
  const within = (point: number, start: number, length: number): number =>
    Math.min(100, Math.max(0, ((point - start) / length) * 100));
  return { x: within(focalPoint.x, crop.x, crop.width), y: within(focalPoint.y, crop.y, crop.height) };
}

/** The URL of an image's thumbnail, or of the image if it has none; undefined for other files. */
export function thumbnailOf(file: MediaFile): string | undefined {
  if (kindOf(file) !== 'image') return undefined;
  return file.formats?.['thumbnail']?.url ?? file.url;
}
