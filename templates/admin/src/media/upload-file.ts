/** Uploads a file with XMLHttpRequest, because `fetch` does not report upload progress. */
import { errorOf } from '../rest/request.ts';
import type { MediaFile } from './media-file.ts';

/** `sent` is between 0 and 1. `replaced` is the id of the file to replace. Rejects with HttpError. */
export function uploadFile(file: File, onProgress: (sent: number) => void, replaced?: number): Promise<MediaFile> {
  return new Promise((resolve, reject) => {
    const form = new FormData();
    form.append('files', file);
    const request = new XMLHttpRequest();
    request.open('POST', `/api/upload${replaced === undefined ? '' : `?id=${replaced}`}`);
    request.setRequestHeader('X-Admin-Session', '1');
    request.responseType = 'json';
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total));
    request.addEventListener('error', () => reject(errorOf(0, undefined)));
    request.addEventListener('load', () => {
      const { status } = request;
      const body: unknown = request.response;
      if (status < 200 || status > 299) reject(errorOf(status, body));
      else resolve([body].flat()[0] as MediaFile);
    });
    request.send(form);
  });
}
