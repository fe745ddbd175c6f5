/** What can be asked of uploaded files. */
import type { Operation } from './operation.ts';
import { schemaRef, type JsonObject } from './schema-names.ts';
import { list, object, TEXT, TIME } from './schema-pieces.ts';

const FILE = schemaRef('UploadedFile');
const TEXT_OR_NULL: JsonObject = { type: ['string', 'null'] };
const PIXELS: JsonObject = { type: ['integer', 'null'] };
const ID: JsonObject = { type: ['integer', 'string'] };

/** Schemas by name: they are among COMMON_NAMES. */
export const FILE_SCHEMAS: JsonObject = {
  UploadedFile: {
    description: 'A file, without an envelope; `size` is in kilobytes, `width` and `height` of images are in pixels.',
    ...object(
      {
        id: { type: 'integer' },
        name: TEXT,
        alternativeText: TEXT_OR_NULL,
        caption: TEXT_OR_NULL,
        width: PIXELS,
        height: PIXELS,
        formats: { type: ['object', 'null'] },
        hash: TEXT,
        ext: TEXT_OR_NULL,
        mime: TEXT,
        size: { type: 'number' },
        url: TEXT,
        previewUrl: TEXT_OR_NULL,
        provider: TEXT,
        createdAt: TIME,
        updatedAt: TIME,
      },
      ['id', 'name', 'mime', 'size', 'url'],
    ),
  },
};

const UPLOAD = object(
  {
    files: list({ type: 'string', contentMediaType: 'application/octet-stream' }),
    fileInfo: { ...list(TEXT), description: 'JSON of each file: `name`, `alternativeText`, `caption`.' },
    ref: { ...TEXT, description: 'The type of the entry that gets the files, such as `api::article.article`.' },
    refId: { ...ID, description: 'Its id.' },
    field: { ...TEXT, description: 'Its attribute.' },
  },
  ['files'],
);

const PATH = '/api/upload';
const ONE = `${PATH}/files/{id}`;

export const FILE_OPERATIONS: readonly Operation[] = [
  {
    path: PATH,
    method: 'post',
    id: 'uploadFiles',
    summary: 'Upload files, and attach them to an entry; with `?id=` change a file',
    permission: 'upload.upload',
    query: ['fileId'],
    body: UPLOAD,
    isForm: true,
    answer: { anyOf: [list(FILE), FILE] },
  },
  {
    path: `${PATH}/files`,
    method: 'get',
    id: 'listFiles',
    summary: 'List files',
    permission: 'upload.find',
    query: ['filters', 'sort', 'pagination'],
    answer: list(FILE),
  },
  {
    path: ONE,
    method: 'get',
    id: 'getFile',
    summary: 'Get a file',
    permission: 'upload.findOne',
    answer: FILE,
  },
  {
    path: ONE,
    method: 'delete',
    id: 'deleteFile',
    summary: 'Delete a file: entries that had it have it no more',
    permission: 'upload.destroy',
    answer: FILE,
  },
];
