/** Puts pasted and dropped images into the media library. */
import { useMemo, useRef } from 'react';
import { useNotify } from 'react-admin';
import { useMay } from '../app/session.ts';
import { type MediaFile, storable } from '../media/media-file.ts';
import { type Uploads, useUploads } from '../media/use-uploads.ts';
import type { RichBlock, RichImage } from './rich-content.ts';

export interface PastedImages {
  /** Stores files, and returns those that could be stored. */
  readonly store: (files: readonly File[]) => Promise<readonly MediaFile[]>;
  /** Stores the images that are part of the content, with their data. */
  readonly storeIn: (blocks: readonly RichBlock[]) => Promise<readonly RichBlock[]>;
  /** Tells that images are missing, which only their addresses were copied of. */
  readonly reportMissing: () => void;
}

/** The images of the clipboard, or of what is dropped. */
export function imagesOf({ files }: DataTransfer): readonly File[] {
  return [...files].filter(({ type }) => type.startsWith('image/'));
}

const DATA_URL = /^data:(?<type>image\/(?<kind>[a-z]+))[^,]*;base64,(?<data>.+)$/isu;

/** Whether an image brings its data with it. */
export function hasData({ url }: RichImage): boolean {
  return DATA_URL.test(url);
}

/** Its data as a file. CSP forbids to fetch it. */
function fileOf({ url, alt }: RichImage): File {
  const { type = '', kind = '', data = '' } = DATA_URL.exec(url)?.groups ?? {};
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  return new File([bytes], `${alt || 'image'}.${kind}`, { type });
}

export function useStoreImages(): Pick<Uploads, 'uploads' | 'dismiss'> & { readonly images: PastedImages } {
  const notify = useNotify();
  const may = useMay();
  const { uploads, send, dismiss } = useUploads();
  const canUpload = may('upload', 'upload');
  const latest = useRef({ notify, send, canUpload });
  latest.current = { notify, send, canUpload };
  const images = useMemo((): PastedImages => {
    const reportMissing = (): void => latest.current.notify('text.imagesMissing', { type: 'warning' });
    async function store(files: readonly File[]): Promise<readonly MediaFile[]> {
      if (latest.current.canUpload) return (await latest.current.send(files)).map(storable);
      reportMissing();
      return [];
    }
    return {
      store,
      reportMissing,
      async storeIn(blocks) {
        const stored = blocks.map(async (block): Promise<readonly RichBlock[]> => {
          if (block.kind !== 'image' || !hasData(block)) return [block];
          const [file] = await store([fileOf(block)]);
          return file ? [{ ...block, url: file.url, file }] : [];
        });
        return (await Promise.all(stored)).flat();
      },
    };
  }, []);
  return { images, uploads, dismiss };
}
