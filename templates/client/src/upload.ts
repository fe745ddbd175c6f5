/** Uploads, attaches, lists, updates and deletes files. */
import type { Deletion, TrashQuery } from './over-time.ts';
import { type OnProgress, withProgress } from './progress.ts';
import { type ChangeOptions, type Connection, type RequestOptions, send } from './send.ts';

/** A part of an image, in percent of its width and height. */
interface Crop {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A file, as a flat object; `size` is in kilobytes, `width` and `height` of images are in pixels. */
export interface UploadedFile {
  readonly id: number;
  /** Only if entries have document ids. */
  readonly documentId?: string;
  readonly name: string;
  readonly alternativeText: string | null;
  readonly caption: string | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly formats: Readonly<
    Record<string, { readonly url: string; readonly width: number; readonly height: number }>
  > | null;
  readonly hash: string;
  readonly ext: string | null;
  readonly mime: string;
  readonly size: number;
  /** Only if images have focal points: percent of width and height. */
  readonly focalPoint?: { readonly x: number; readonly y: number } | null;
  /** Only if images have crops: percent of width and height. */
  readonly crop?: Crop | null;
  /** Only if images have placeholders: a ThumbHash, in base64. */
  readonly placeholder?: string | null;
  /** Only if files have tags. */
  readonly tags?: readonly string[];
  readonly url: string;
  readonly previewUrl: string | null;
  readonly provider: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface FileInfo {
  readonly name?: string;
  readonly alternativeText?: string | null;
  readonly caption?: string | null;
  /** If there are folders. */
  readonly folder?: number | null;
  /** If files have tags. */
  readonly tags?: readonly string[];
  /** In updates, if images have focal points. */
  readonly focalPoint?: { readonly x: number; readonly y: number } | null;
  /** In updates, if images have crops. */
  readonly crop?: Crop | null;
}

/** The info of each file, and the entry and attribute to attach the files to. */
export interface UploadOptions extends RequestOptions {
  readonly fileInfo?: FileInfo | readonly FileInfo[];
  /** The type of the entry, such as `article`. */
  readonly ref?: string;
  /** Its id; in the v5 format also its document id. */
  readonly refId?: number | string;
  readonly field?: string;
  readonly onProgress?: OnProgress;
}

/** A file; a Blob without a name is called `file`. */
type FileLike = Blob | File;

/** The files of a server. All methods throw ApiError. */
export interface Upload {
  create(files: FileLike | readonly FileLike[], options?: UploadOptions): Promise<readonly UploadedFile[]>;
  /** Updates the info of a file; with `file`, replaces its bytes, too. */
  update(id: number, info: FileInfo, options?: UploadOptions & { readonly file?: FileLike }): Promise<UploadedFile>;
  find(query?: object, options?: RequestOptions): Promise<readonly UploadedFile[]>;
  findOne(id: number, options?: RequestOptions): Promise<UploadedFile>;
  /** Also removes the file from the entries that use it. */
  delete(id: number, options?: RequestOptions): Promise<UploadedFile>;
}

/** The files of a server that keeps deleted ones. */
export interface UploadWithTrash extends Upload {
  deleted(query?: TrashQuery, options?: RequestOptions): Promise<{ readonly data: readonly Deletion[] }>;
  restoreDeleted(id: number, options?: ChangeOptions): Promise<UploadedFile>;
}

function uid(ref: string): string {
  return ref.includes('::') ? ref : `api::${ref}.${ref}`;
}

/** Fields come first: the server checks them before it accepts any bytes of files. */
function formOf(files: readonly FileLike[], { fileInfo, ref, refId, field }: UploadOptions): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ref: ref && uid(ref), refId, field })) {
    if (value !== undefined) form.append(name, String(value));
  }
  const infos = fileInfo === undefined ? [] : [fileInfo].flat();
  for (const info of infos) form.append('fileInfo', JSON.stringify(info));
  for (const file of files) form.append('files', file, 'name' in file ? file.name : 'file');
  return form;
}

export function uploadOf(connection: Connection): UploadWithTrash {
  const post = (files: readonly FileLike[], all: UploadOptions, query?: object) => {
    const { fileInfo: _, ref: _ref, refId: _refId, field: _field, onProgress, ...options } = all;
    const size = files.reduce((sum, file) => sum + file.size, 0);
    const request = { method: 'POST', path: 'upload', query, body: formOf(files, all), keyed: true, options } as const;
    return send(connection, request, onProgress && withProgress(onProgress, size, connection.fetch)) as Promise<never>;
  };
  const one =
    (method: 'GET' | 'DELETE' | 'POST', below = '') =>
    (id: number, options?: RequestOptions) =>
      send(connection, {
        method,
        path: `upload/files/${id}${below}`,
        keyed: method !== 'GET',
        options,
      }) as Promise<never>;
  const list = (below: string) => (query?: object, options?: RequestOptions) =>
    send(connection, { method: 'GET', path: `upload/files${below}`, query, options }) as Promise<never>;
  return {
    create: (files, options = {}) => post('size' in files ? [files] : files, options),
    update: (id, info, { file, ...options } = {}) => post(file ? [file] : [], { ...options, fileInfo: info }, { id }),
    find: list(''),
    findOne: one('GET'),
    delete: one('DELETE'),
    deleted: list('/trash'),
    restoreDeleted: one('POST', '/actions/restore'),
  };
}
