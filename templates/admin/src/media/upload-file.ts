import { ask } from '../rest/request.ts';
import type { MediaFile } from './media-file.ts';

interface Destination {
  /** The id of the file to replace. */
  readonly replaced?: number | undefined;
  /** The id of the folder of a new file. */
  readonly folder?: number | undefined;
}

/** Throws HttpError. */
export async function uploadFile(
  file: File,
  onProgress: (sent: number) => void,
  { replaced, folder }: Destination = {},
): Promise<MediaFile> {
  const body = new FormData();
  if (folder !== undefined) body.append('fileInfo', JSON.stringify({ folder }));
  body.append('files', file);
  const query = replaced === undefined ? {} : { id: replaced };
  const answer = await ask<MediaFile | MediaFile[]>({ method: 'POST', path: 'upload', query, body, onProgress });
  return [answer].flat()[0] as MediaFile;
}
