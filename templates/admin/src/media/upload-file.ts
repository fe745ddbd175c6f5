import { ask } from '../rest/request.ts';
import type { MediaFile } from './media-file.ts';

/** `replaced` is the id of the file to replace. Throws HttpError. */
export async function uploadFile(
  file: File,
  onProgress: (sent: number) => void,
  replaced?: number,
): Promise<MediaFile> {
  const body = new FormData();
  body.append('files', file);
  const query = replaced === undefined ? {} : { id: replaced };
  const answer = await ask<MediaFile | MediaFile[]>({ method: 'POST', path: 'upload', query, body, onProgress });
  return [answer].flat()[0] as MediaFile;
}
