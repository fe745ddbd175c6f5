/** Documents in forms with files: the multipart requests of GraphQL clients. */
import type { Context } from 'koa';
import { ForbiddenError, HttpError } from '../../contract/errors.ts';
import { parseJson } from '../../contract/values/parse-json.ts';
import { isObject } from '../../content/relations/entry-ref.ts';
import { callerOf } from '../../http/request.ts';
import * as state from '../../http/state.ts';
import { requestError } from './errors.ts';

const SPECIFICATION = 'https://github.com/jaydenseric/graphql-multipart-request-spec';

type UploadedFile = state.ReceivedForm['files'][number];

function malformed(message: string): HttpError {
  return new HttpError(400, 'BadRequestError', message);
}

/** The files of requests that are running. */
const uploaded = new WeakSet<object>();

/** Whether the value of a variable is a file of this request. */
export function isUploaded(value: unknown): value is UploadedFile {
  return typeof value === 'object' && value !== null && uploaded.has(value);
}

/** Takes a file out of a request: it is stored once. Undefined if it is none, or was taken. */
export function takeUploaded(value: unknown): UploadedFile | undefined {
  if (!isUploaded(value)) return undefined;
  uploaded.delete(value);
  return value;
}

function fieldIn(fields: state.ReceivedForm['fields'], name: 'operations' | 'map'): object {
  const found = fields.findIndex((field) => field.name === name);
  if (found === -1) throw malformed(`Missing multipart field ‘${name}’ (${SPECIFICATION}).`);
  if (name === 'map' && found < fields.findIndex((field) => field.name === 'operations')) {
    throw malformed(`Misordered multipart fields; ‘map’ should follow ‘operations’ (${SPECIFICATION}).`);
  }
  const value = parseJson(fields[found]?.value ?? '');
  if (!isObject(value)) throw malformed(`Invalid JSON in the ‘${name}’ multipart field (${SPECIFICATION}).`);
  return value;
}

/** `variables.files.0` → its keys. Only places that hold `null` are filled. */
function put(operations: object, path: unknown, file: UploadedFile): void {
  const keys = typeof path === 'string' ? path.split('.') : [];
  const last = keys.pop() ?? '';
  let at: unknown = operations;
  for (const key of keys) {
    at = typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? (at as Record<string, unknown>)[key] : null;
  }
  if (
    typeof at !== 'object' ||
    at === null ||
    !Object.hasOwn(at, last) ||
    (at as Record<string, unknown>)[last] !== null
  ) {
    throw malformed(`Invalid object path for the ‘map’ multipart field (${SPECIFICATION}).`);
  }
  (at as Record<string, unknown>)[last] = file;
}

/** Before the first byte of a file is stored. */
function checkFile(ctx: Context, fields: state.ReceivedForm['fields']): void {
  fieldIn(fields, 'operations');
  fieldIn(fields, 'map');
  const { role, permissions } = callerOf(ctx);
  if (!permissions.has('upload.upload')) throw new ForbiddenError({ reason: `${role} lacks upload.upload` });
}

function withFiles({ fields, files }: state.ReceivedForm): object {
  const operations = fieldIn(fields, 'operations');
  for (const [name, paths] of Object.entries(fieldIn(fields, 'map'))) {
    const file = files.find(({ field }) => field === name);
    if (!file) throw malformed(`File missing in the request (${SPECIFICATION}).`);
    if (!Array.isArray(paths)) throw malformed(`Invalid type for the ‘map’ field (${SPECIFICATION}).`);
    uploaded.add(file);
    for (const path of paths) put(operations, path, file);
  }
  return operations;
}

/** Runs `work` with the body of a form, whose variables have its files. Throws HttpError for one that is malformed. */
export async function withUploads<T>(ctx: Context, work: (body: object) => Promise<T>): Promise<T> {
  const receive = state.formReceiver.get(ctx);
  if (!receive) throw requestError('This server takes no files');
  const { form, discard } = await receive(ctx, {
    maxFieldSize: state.bodyLimit.get(ctx) ?? 0,
    onFile: (fields) => checkFile(ctx, fields),
  });
  try {
    return await work(withFiles(form));
  } finally {
    await discard();
  }
}
