/** Uploads files one after the other and tracks their progress. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { MediaFile } from './media-file.ts';
import { MEDIA_KEY } from './media-search.ts';
import { uploadFile } from './upload-file.ts';

export interface Upload {
  readonly name: string;
  /** Between 0 and 1. */
  readonly sent: number;
  readonly problem?: string;
}

export interface Uploads {
  readonly uploads: readonly Upload[];
  /** Resolves to the stored files; errors are reported in `uploads`. */
  readonly send: (files: readonly File[]) => Promise<readonly MediaFile[]>;
}

export function useUploads(): Uploads {
  const client = useQueryClient();
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const change = (at: number, upload: Partial<Upload>): void =>
    setUploads((all) => all.map((one, index) => (index === at ? { ...one, ...upload } : one)));

  async function send(files: readonly File[]): Promise<readonly MediaFile[]> {
    setUploads(files.map(({ name }) => ({ name, sent: 0 })));
    const stored: MediaFile[] = [];
    for (const [at, file] of files.entries()) {
      try {
        stored.push(await uploadFile(file, (sent) => change(at, { sent })));
        change(at, { sent: 1 });
      } catch (error) {
        change(at, { problem: error instanceof Error ? error.message : String(error) });
      }
    }
    await client.invalidateQueries({ queryKey: [MEDIA_KEY] });
    return stored;
  }
  return { uploads, send };
}
