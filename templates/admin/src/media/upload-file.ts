import { ask } from '../rest/request.ts';
import type { MediaFile } from './media-file.ts';

interface Destination {
  /** The id of the file to replace. */
  readonly replaced?: number | undefined;
  /** The id of the folder of a new file. */
  readonly folder?: number | undefined;
  /** If the server lets uploads continue: called when the connection is lost, and when it is back. */
  readonly onWaiting?: ((isWaiting: boolean) => void) | undefined;
}

/** Smaller files are sent again as fast as they would continue, in bytes. */
const RESUMABLE_FROM = 5 * 1024 * 1024;

/** Throws HttpError. */
export async function uploadFile(
  file: File,
  onProgress: (sent: number) => void,
  { replaced, folder, onWaiting }: Destination = {},
): Promise<MediaFile> {
  if (onWaiting && replaced === undefined && file.size > RESUMABLE_FROM) {
    const { sendResumably } = await import('./resumable/send-resumably.ts');
    const stored = await sendResumably(file, { folder, onProgress, onWaiting });
    if (stored) return stored;
  }
  const body = new FormData();
  if (folder !== undefined) body.append('fileInfo', JSON.stringify({ folder }));
  body.append('files', file);
  const query = replaced === undefined ? {} : { id: replaced };
  const answer = await ask<MediaFile | MediaFile[]>({ method: 'POST', path: 'upload', query, body, onProgress });
  return [answer].flat()[0] as MediaFile;
}
