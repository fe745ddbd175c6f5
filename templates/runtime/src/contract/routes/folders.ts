/** The routes of the folders of the media library, if the schema has them. */
import { FOLDER_LIMITS } from '../upload-folders.ts';
import { created, ok } from './answers.ts';
import { type JsonSchema, list, object, schemaRef, TEXT } from './json-schema.ts';
import { routeTable } from './route.ts';

const PARENT: JsonSchema = { type: ['integer', 'null'], description: 'The folder that it is in; null: at the top.' };
const NAME: JsonSchema = { ...TEXT, minLength: 1, maxLength: FOLDER_LIMITS.name };
const INPUT = { name: NAME, parent: PARENT };

/** Schemas by name. */
export const FOLDER_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Folder: object({ id: { type: 'integer' }, ...INPUT }, ['id', 'name', 'parent']),
  FolderOfFile: object({ folder: { anyOf: [schemaRef('Folder'), { type: 'null' }] } }, ['folder']),
  FolderCreateRequest: object(INPUT, ['name']),
  FolderUpdateRequest: object(INPUT, []),
};

const FOLDER = schemaRef('Folder');
const PATH = '/api/upload/folders';
const ONE = `${PATH}/{id}`;

export const FOLDER_ROUTES = routeTable([
  {
    id: 'listFolders',
    method: 'GET',
    path: PATH,
    tag: 'upload',
    summary: `List all folders, at most ${FOLDER_LIMITS.folders}, by name`,
    permission: 'upload.find',
    answers: ok(list(FOLDER)),
    probe: 200,
  },
  {
    id: 'createFolder',
    method: 'POST',
    path: PATH,
    tag: 'upload',
    summary: 'Create a folder',
    permission: 'upload.upload',
    body: { json: schemaRef('FolderCreateRequest') },
    answers: created(FOLDER),
    probe: 400,
  },
  {
    id: 'updateFolder',
    method: 'PUT',
    path: ONE,
    tag: 'upload',
    summary: 'Rename a folder, or move it with all that is in it',
    permission: 'upload.upload',
    body: { json: schemaRef('FolderUpdateRequest') },
    answers: ok(FOLDER),
    probe: 404,
  },
  {
    id: 'deleteFolder',
    method: 'DELETE',
    path: ONE,
    tag: 'upload',
    summary: 'Delete an empty folder; others are refused with 409',
    permission: 'upload.destroy',
    answers: [{ status: 204 }],
    probe: 404,
  },
  {
    id: 'listFolderFiles',
    method: 'GET',
    path: `${ONE}/files`,
    tag: 'upload',
    summary: 'List the files in a folder, `0` for those in none; `?nested=true` also those in the folders below it',
    permission: 'upload.find',
    query: ['filters', 'sort', 'pagination', 'search'],
    queriedType: 'file',
    answers: ok(list(schemaRef('UploadedFile'))),
    probe: 404,
  },
  {
    id: 'getFileFolder',
    method: 'GET',
    path: '/api/upload/files/{id}/folder',
    tag: 'upload',
    summary: 'Get the folder of a file; null if it is in none',
    permission: 'upload.findOne',
    answers: ok(schemaRef('FolderOfFile')),
    probe: 404,
  },
]);
