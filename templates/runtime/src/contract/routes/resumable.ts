/** The routes of uploads that continue where they were cut off, if the schema has them: https://tus.io/protocols/resumable-upload */
import { UNFINISHED } from '../limits.ts';
import { ok } from './answers.ts';
import { type JsonSchema, object, schemaRef } from './json-schema.ts';
import { routeTable } from './route.ts';

const BYTES: JsonSchema = { type: 'integer', minimum: 0 };

/** Schemas by name. */
export const RESUMABLE_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  UnfinishedUpload: object(
    {
      length: { ...BYTES, description: 'The size of the file, in bytes.' },
      offset: { ...BYTES, description: 'How many of them have arrived.' },
      fileId: { type: ['integer', 'null'], description: 'The id of the file, once it is stored.' },
    },
    ['length', 'offset', 'fileId'],
  ),
};

/** Where such uploads are created; each is below it. */
export const RESUMABLE_PATH = '/api/upload/resumable';
const ONE = `${RESUMABLE_PATH}/{id}`;

export const RESUMABLE_ROUTES = routeTable([
  {
    id: 'createUpload',
    method: 'POST',
    path: RESUMABLE_PATH,
    tag: 'upload',
    summary: `Begin an upload that continues where it is cut off, by the protocol tus 1.0 (https://tus.io); at most ${UNFINISHED.perCaller} at a time`,
    permission: 'upload.upload',
    answers: [{ status: 201 }],
    isCounted: true,
    probe: 412,
  },
  {
    id: 'getUpload',
    method: 'GET',
    path: ONE,
    tag: 'upload',
    summary: 'How much of an upload has arrived; clients of tus send HEAD',
    permission: 'upload.upload',
    answers: ok(schemaRef('UnfinishedUpload')),
    probe: 404,
  },
  {
    id: 'continueUpload',
    method: 'PATCH',
    path: ONE,
    tag: 'upload',
    summary:
      'Send the next bytes of an upload, by the protocol tus; `Upload-File-Id` is the file once all have arrived',
    permission: 'upload.upload',
    body: { bytes: true },
    answers: [{ status: 204 }],
    probe: 412,
  },
  {
    id: 'endUpload',
    method: 'DELETE',
    path: ONE,
    tag: 'upload',
    summary: 'End an upload, and remove what has arrived of it',
    permission: 'upload.upload',
    answers: [{ status: 204 }],
    probe: 412,
  },
]);
