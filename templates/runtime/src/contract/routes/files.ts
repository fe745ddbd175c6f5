/** The routes `/api/upload`, in servers whose schema uses files. */
import { SMALLEST_CROP } from '../crop.ts';
import { FILE_CHANGES } from '../limits.ts';
import { ok } from './answers.ts';
import {
  type AddedProperties,
  ANY_OBJECT,
  BINARY,
  type JsonSchema,
  list,
  object,
  schemaRef,
  TEXT,
  TIME,
} from './json-schema.ts';
import { routeTable } from './route.ts';

const FILE = schemaRef('UploadedFile');
const TEXT_OR_NULL: JsonSchema = { type: ['string', 'null'] };
const PIXELS: JsonSchema = { type: ['integer', 'null'] };
const ID: JsonSchema = { type: ['integer', 'string'] };

/** Schemas by name. */
export const FILE_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
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
        formats: { ...ANY_OBJECT, type: ['object', 'null'] },
        hash: TEXT,
        ext: TEXT_OR_NULL,
        mime: TEXT,
        size: { type: 'number' },
        url: TEXT,
        previewUrl: TEXT_OR_NULL,
        provider: TEXT,
        provider_metadata: { ...ANY_OBJECT, type: ['object', 'null'] },
        createdAt: TIME,
        updatedAt: TIME,
      },
      ['id'],
    ),
  },
  FileUse: {
    description: 'An entry that uses a file.',
    ...object({ type: { ...TEXT, description: 'Its type, such as `article`.' }, id: { type: 'integer' } }, [
      'type',
      'id',
    ]),
  },
  FileChange: object(
    {
      id: ID,
      name: TEXT,
      alternativeText: TEXT_OR_NULL,
      caption: TEXT_OR_NULL,
      folder: { type: ['integer', 'null'], description: 'Its folder, if the server has folders.' },
    },
    ['id'],
  ),
  FileChanges: object({ files: { ...list(schemaRef('FileChange')), minItems: 1, maxItems: FILE_CHANGES } }, ['files']),
  UploadForm: object(
    {
      files: { ...list(BINARY), description: 'Omit it to change only the `fileInfo` of a file.' },
      fileInfo: { ...list(TEXT), description: 'For each file, JSON with `name`, `alternativeText` and `caption`.' },
      ref: {
        ...TEXT,
        description: 'The type of the entry to which the files are attached, such as `api::article.article`.',
      },
      refId: {
        ...ID,
        description: 'The id of that entry; in the v5 format also its document id, whose locale is that of the query.',
      },
      field: { ...TEXT, description: 'The attribute of that entry.' },
    },
    [],
  ),
};

const PERCENT: JsonSchema = { type: 'number', minimum: 0, maximum: 100 };

/** What files have besides, if images have focal points. */
export const FOCAL_POINT_PROPERTIES: AddedProperties = {
  UploadedFile: {
    focalPoint: {
      description: 'What of an image stays in view where it is cut: percent of its width and height.',
      anyOf: [object({ x: PERCENT, y: PERCENT }), { type: 'null' }],
    },
  },
};

const SHARE: JsonSchema = { type: 'number', minimum: SMALLEST_CROP, maximum: 100 };

/** What files have besides, if images have crops. */
export const CROP_PROPERTIES: AddedProperties = {
  UploadedFile: {
    crop: {
      description: 'The part of an image that its sizes show: percent of its width and height.',
      anyOf: [object({ x: PERCENT, y: PERCENT, width: SHARE, height: SHARE }), { type: 'null' }],
    },
  },
};

/** What files have besides, if images have placeholders. */
export const PLACEHOLDER_PROPERTIES: AddedProperties = {
  UploadedFile: {
    placeholder: {
      ...TEXT_OR_NULL,
      description: 'What is shown of an image while it loads: its ThumbHash.',
      contentEncoding: 'base64',
    },
  },
};

const PATH = '/api/upload';
const ONE = `${PATH}/files/{id}`;

export const FILE_ROUTES = routeTable([
  {
    id: 'uploadFiles',
    method: 'POST',
    path: PATH,
    tag: 'upload',
    summary: 'Upload files, and optionally attach them to an entry; with `?id=`, change a file',
    permission: 'upload.upload',
    touches: ['replacedFiles', 'attachedEntries'],
    query: ['fileId'],
    body: { form: schemaRef('UploadForm') },
    answers: [{ status: 200, statusInV5: 201, schema: { anyOf: [list(FILE), FILE] } }],
    canBeMissing: true,
    isCounted: true,
    keyed: true,
    probe: 400,
  },
  {
    id: 'listFiles',
    method: 'GET',
    path: `${PATH}/files`,
    tag: 'upload',
    summary: 'List files',
    permission: 'upload.find',
    query: ['filters', 'sort', 'pagination', 'search'],
    queriedType: 'file',
    answers: ok(list(FILE)),
    probe: 200,
  },
  {
    id: 'changeFiles',
    method: 'PUT',
    path: `${PATH}/files`,
    tag: 'upload',
    summary: `Change the texts of up to ${FILE_CHANGES} files, all or none of them`,
    permission: 'upload.upload',
    body: { json: schemaRef('FileChanges') },
    answers: ok(list(FILE)),
    canBeMissing: true,
    probe: 400,
  },
  {
    id: 'getFile',
    method: 'GET',
    path: ONE,
    tag: 'upload',
    summary: 'Get a file',
    permission: 'upload.findOne',
    answers: ok(FILE),
    probe: 404,
  },
  {
    id: 'listFileUses',
    method: 'GET',
    path: `${ONE}/uses`,
    tag: 'upload',
    summary: 'List the entries that use a file and that the caller may find: the newest hundred of each type',
    permission: 'upload.findOne',
    answers: ok(list(schemaRef('FileUse'))),
    probe: 404,
  },
  {
    id: 'deleteFile',
    method: 'DELETE',
    path: ONE,
    tag: 'upload',
    summary: 'Delete a file, and remove it from entries',
    permission: 'upload.destroy',
    answers: ok(FILE),
    keyed: true,
    probe: 404,
  },
]);

/** The routes of deleted files, if the schema keeps them. */
export const FILE_TRASH_ROUTES = routeTable([
  {
    id: 'listDeletedFiles',
    method: 'GET',
    path: `${PATH}/files/trash`,
    tag: 'upload',
    summary: 'List deleted files, the last ones first; `?before=57` continues after a page of 100',
    permission: 'upload.destroy',
    answers: ok(schemaRef('TrashResponse')),
    probe: 200,
  },
  {
    id: 'restoreDeletedFile',
    method: 'POST',
    path: `${ONE}/actions/restore`,
    tag: 'upload',
    summary: 'Restore a deleted file, with its bytes and in the entries that used it',
    permission: 'upload.destroy',
    answers: ok(FILE),
    keyed: true,
    probe: 404,
  },
]);
