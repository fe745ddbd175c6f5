/** Uploads a file in parts, by the protocol tus, and goes on by itself when the connection comes back. */
import { HttpError } from 'react-admin';
import { ask, LostResponseError, send } from '../../rest/request.ts';
import type { MediaFile } from '../media-file.ts';
import { nameOfUpload, rememberedUpload, rememberUpload } from './remembered-uploads.ts';

/** In bytes: what a proxy that keeps whole requests may lose. */
const PART = 4 * 1024 * 1024;
const TUS = { 'Tus-Resumable': '1.0.0' };
/** In milliseconds, after each failure; then the last one again. */
const DELAYS = [1000, 2000, 4000, 8000, 15_000];
/** Failures in a row: about ten minutes without a byte. */
const MOST_FAILURES = 40;
/** Statuses that end by themselves: another request writes, the server starts again, or a proxy does not reach it. */
const PASSING: ReadonlySet<number> = new Set([408, 409, 423, 500, 502, 503, 504]);
/** Statuses that mean: too many unfinished uploads. */
const TOO_MANY: ReadonlySet<number> = new Set([429, 503]);

interface Arrived {
  readonly offset: number;
  readonly fileId: number | null;
}

export interface Sending {
  readonly folder: number | undefined;
  /** Called with a number between 0 and 1. */
  readonly onProgress: (sent: number) => void;
  /** Called when the connection is lost, and when it is back. */
  readonly onWaiting: (isWaiting: boolean) => void;
}

function encode(text: string): string {
  return btoa(String.fromCodePoint(...new TextEncoder().encode(text)));
}

/** The path of a new upload; undefined if the server has too many: then it takes the file as a whole. */
async function begin(file: File, folder: number | undefined): Promise<string | undefined> {
  const said = [
    ['filename', file.name],
    ['filetype', file.type],
    ...(folder === undefined ? [] : [['folder', String(folder)]]),
  ];
  const metadata = said.map(([key = '', value = '']) => `${key} ${encode(value)}`).join(',');
  const headers = { ...TUS, 'Upload-Length': String(file.size), 'Upload-Metadata': metadata };
  try {
    const answer = await send({ method: 'POST', path: 'upload/resumable', headers, isUnlisted: true });
    const id = answer.headers.get('Location')?.split('/').at(-1);
    return id === undefined ? undefined : `upload/resumable/${id}`;
  } catch (error) {
    if (error instanceof HttpError && TOO_MANY.has(error.status)) return undefined;
    throw error;
  }
}

async function sendPart(path: string, file: File, offset: number, onProgress: Sending['onProgress']): Promise<Arrived> {
  const body = file.slice(offset, offset + PART);
  const { headers } = await send({
    method: 'PATCH',
    path,
    body,
    headers: { ...TUS, 'Upload-Offset': String(offset), 'Content-Type': 'application/offset+octet-stream' },
    isUnlisted: true,
    onProgress: (sent) => onProgress((offset + sent * body.size) / file.size),
  });
  const fileId = headers.get('Upload-File-Id');
  return { offset: Number(headers.get('Upload-Offset')), fileId: fileId === null ? null : Number(fileId) };
}

function isPassing(error: unknown): boolean {
  if (error instanceof HttpError) return PASSING.has(error.status);
  // The server was not reached, or its answer was lost.
  return error instanceof LostResponseError || error instanceof TypeError;
}

/** Resolves after a while, or as soon as the browser says that it is online again. */
function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      removeEventListener('online', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    addEventListener('online', end);
  });
}

/** Repeats `work` while it fails for reasons that pass. `progressed` says whether anything has arrived since the last failure. */
async function persist<T>(
  work: () => Promise<T>,
  progressed: () => boolean,
  onWaiting: Sending['onWaiting'],
): Promise<T> {
  for (let failures = 0; ;) {
    try {
      return await work();
    } catch (error) {
      failures = progressed() ? 1 : failures + 1;
      if (!isPassing(error) || failures > MOST_FAILURES) throw error;
      onWaiting(true);
      await wait(DELAYS[failures - 1] ?? DELAYS.at(-1) ?? 0);
    }
  }
}

/** Sends what is missing of a file; resolves to its id. */
async function sendRest(path: string, file: File, { onProgress, onWaiting }: Sending): Promise<number> {
  let arrived: Arrived = { offset: 0, fileId: null };
  let before = 0;
  const progressed = (): boolean => {
    const has = arrived.offset > before;
    before = arrived.offset;
    return has;
  };
  const work = async (): Promise<number> => {
    arrived = await ask<Arrived>({ path, isUnlisted: true });
    onWaiting(false);
    onProgress(arrived.offset / file.size);
    while (arrived.fileId === null) arrived = await sendPart(path, file, arrived.offset, onProgress);
    return arrived.fileId;
  };
  return persist(work, progressed, onWaiting);
}

/** Sends a file, or the rest of it; resolves to its id, or undefined if the server takes no more such uploads. */
async function sendAll(file: File, sending: Sending): Promise<number | undefined> {
  const { folder, onWaiting } = sending;
  const name = nameOfUpload(file, folder);
  for (let path = rememberedUpload(name), isNew = false; ; path = undefined) {
    if (path === undefined) {
      isNew = true;
      path = await persist(
        () => begin(file, folder),
        () => false,
        onWaiting,
      );
      if (path === undefined) return undefined;
      rememberUpload(name, path);
    }
    try {
      const id = await sendRest(path, file, sending);
      rememberUpload(name, undefined);
      return id;
    } catch (error) {
      // Otherwise it may still continue.
      if (!isPassing(error)) rememberUpload(name, undefined);
      const isGone = error instanceof HttpError && error.status === 404 && !isNew;
      if (!isGone) throw error;
    }
  }
}

/** Throws HttpError. Resolves to undefined if the server takes no more such uploads. */
export async function sendResumably(file: File, sending: Sending): Promise<MediaFile | undefined> {
  const id = await sendAll(file, sending);
  if (id === undefined) return undefined;
  const [stored] = await ask<MediaFile[]>({ path: 'upload/files', query: { filters: { id } }, isUnlisted: true });
  if (!stored) throw new HttpError('Not Found', 404);
  return stored;
}
