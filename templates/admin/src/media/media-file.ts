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
  readonly formats?: Readonly<Record<string, { readonly url: string }>> | null;
}

export type MediaKind = 'image' | 'video' | 'audio' | 'file';

export function kindOf({ mime }: Pick<MediaFile, 'mime'>): MediaKind {
  const [kind] = mime.split('/');
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : 'file';
}

/** The URL of an image's thumbnail, or of the image if it has none; undefined for other files. */
export function thumbnailOf(file: MediaFile): string | undefined {
  if (kindOf(file) !== 'image') return undefined;
  return file.formats?.['thumbnail']?.url ?? file.url;
}
