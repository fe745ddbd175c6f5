/** MCP tools for files, with the permissions of the corresponding routes. */
import { Readable } from 'node:stream';
import { HttpError, ValidationError } from '../../contract/errors.ts';
import { type JsonSchema, list } from '../../contract/routes/json-schema.ts';
import type { Tool, ToolCaller } from '../../http/tool.ts';
import { EMPTY_QUERY } from '../../query/entry-query.ts';
import type { CallContext } from '../../query/entry-request.ts';
import { queryOfRequest } from '../../query/query-of.ts';
import { discard } from '../../storage/temp-folder.ts';
import type { UploadContext } from './context.ts';
import { fileId } from './file-id.ts';
import { parseFileInfos } from './file-info.ts';
import { createFiles, getFile, listFiles, removeFile } from './files-service.ts';
import { shownFiles } from './file-hooks.ts';
import type { FlatFile } from './flat-file.ts';

type Args = Readonly<Record<string, unknown>>;

const TEXT: JsonSchema = { type: 'string' };
const FILE_ID: JsonSchema = {
  type: 'object',
  properties: { id: { type: ['integer', 'string'], description: 'The id, or the `documentId` if files have one.' } },
  required: ['id'],
  additionalProperties: false,
};
const LIST: JsonSchema = {
  type: 'object',
  properties: {
    filters: { type: 'object', description: 'Conditions, all of which must hold: {attribute: {operator: value}}.' },
    sort: { ...list(TEXT), description: '`name`, or `name:desc`.' },
    pagination: { type: 'object', properties: { page: { type: 'integer' }, pageSize: { type: 'integer' } } },
  },
  additionalProperties: false,
};
const UPLOAD: JsonSchema = {
  type: 'object',
  properties: {
    name: { ...TEXT, description: 'The name of the file, with its extension.' },
    base64: { ...TEXT, contentEncoding: 'base64', description: 'The bytes.' },
    alternativeText: TEXT,
    caption: TEXT,
  },
  required: ['name', 'base64'],
  additionalProperties: false,
};

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/u;

/** Decodes the argument `base64`. Throws ValidationError if it is invalid, HttpError 413 if it is too large. */
function bytesOf({ base64 }: Args, maxSize: number): Buffer {
  if (typeof base64 !== 'string' || !BASE64.test(base64)) {
    throw new ValidationError([{ path: ['base64'], message: 'base64 must be the bytes of a file in Base64' }]);
  }
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length <= maxSize) return bytes;
  throw new HttpError(413, 'PayloadTooLargeError', `The file is larger than ${maxSize} bytes`);
}

/** Stores one file. No upload quota applies, since the limit for request bodies bounds its size. */
async function uploadOne(context: UploadContext, args: Args, { client, ...call }: ToolCaller): Promise<FlatFile> {
  const { base64: _, ...info } = args;
  const infos = parseFileInfos([JSON.stringify(info)], 1, context);
  const temp = await context.temp.write(Readable.from([bytesOf(args, context.settings.maxSize)]));
  const file = { field: 'files', filename: String(args['name']), claimedType: '', temp };
  try {
    const [stored] = await createFiles(context, { files: [{ file, path: ['base64'] }], infos, call, client });
    if (!stored) throw new Error('no file was stored');
    return stored;
  } finally {
    await discard([temp.path]);
  }
}

/** The file tools of a server with uploads. */
export function fileTools(context: UploadContext): readonly Tool[] {
  const idOf = ({ id }: Args): Promise<number> => fileId(context, String(id));
  const one = async (file: Promise<FlatFile>, by: CallContext): Promise<string> =>
    JSON.stringify((await shownFiles(context, by, [await file]))[0]);
  return [
    {
      name: 'list_files',
      title: 'List files',
      description: 'Lists uploaded files, one page at a time.',
      permission: 'upload.find',
      effect: 'reads',
      input: LIST,
      call: (args, by) => listFiles(context, { ...by, query: queryOfRequest(args) }),
    },
    {
      name: 'get_file',
      title: 'Get file',
      description: 'Gets one file: its name, URL, type and size.',
      permission: 'upload.findOne',
      effect: 'reads',
      input: FILE_ID,
      call: async (args, by) => one(getFile(context, await idOf(args), { ...by, query: EMPTY_QUERY }), by),
    },
    {
      name: 'upload_file',
      title: 'Upload file',
      description: 'Uploads a file; its id can then be the value of a media attribute.',
      permission: 'upload.upload',
      effect: 'writes',
      input: UPLOAD,
      call: (args, by) => one(uploadOne(context, args, by), by),
    },
    {
      name: 'delete_file',
      title: 'Delete file',
      description: 'Deletes a file, and removes it from entries.',
      permission: 'upload.destroy',
      effect: 'deletes',
      input: FILE_ID,
      call: async (args, by) => one(removeFile(context, await idOf(args), by), by),
    },
  ];
}
