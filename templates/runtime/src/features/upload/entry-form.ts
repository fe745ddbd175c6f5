/** Multipart bodies of requests that create or update an entry: `data` as JSON text, and files as `files.<attribute>`. */
import type { Context } from 'koa';
import { sql } from '../../database/sql.ts';
import { BadRequestError, NotFoundError } from '../../contract/errors.ts';
import { callerOf } from '../../http/request.ts';
import { forbidden, hasRight } from '../../contract/policy/rights.ts';
import { addedFiles } from '../../content/relations/added-files.ts';
import { parseJson } from '../../contract/values/parse-json.ts';
import type { Share } from './arriving-bytes.ts';
import type { UploadContext } from './context.ts';
import { createFiles, takeBack, type FlatFile } from './files-service.ts';
import { discardForm, receiveForm, type Form, type FormField, type FormLimits } from './multipart.ts';
import type { ArrivedFile } from './store-files.ts';
import { shareOf, undoOnFailure, uploadsOf } from './upload-requests.ts';

type Container = Record<string, unknown>;

const PREFIX = 'files.';

function parseData({ value }: FormField): Container {
  const data = parseJson(value);
  if (typeof data === 'object' && data !== null && !Array.isArray(data)) return data as Container;
  throw new BadRequestError('Missing "data" payload in the request body');
}

/** Where in `data` the files of a part go: what holds the attribute, and the attribute. */
interface Place {
  readonly holder: Container;
  readonly attribute: string;
  readonly path: readonly string[];
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

/** The place of `files.cover`, and inside of components of `files.seo.image` and `files.links.0.icon`. */
function placeOf(data: Container, field: string): Place {
  const path = field.startsWith(PREFIX) ? field.slice(PREFIX.length).split('.') : [];
  const attribute = path.at(-1);
  let holder: unknown = data;
  for (const segment of path.slice(0, -1)) {
    holder = isContainer(holder) && Object.hasOwn(holder, segment) ? holder[segment] : undefined;
  }
  if (attribute === undefined || attribute === '' || !isContainer(holder) || Array.isArray(holder)) {
    throw new BadRequestError('The name of each file must be files.ATTRIBUTE, of an attribute that data has room for');
  }
  return { holder, attribute, path };
}

/** What the attribute is given: beside the files that `data` lists, or to those that the entry has. */
function withFiles({ holder, attribute, path }: Place, ids: readonly number[]): unknown {
  const given = Object.hasOwn(holder, attribute) ? holder[attribute] : undefined;
  if (Array.isArray(given)) return [...(given as unknown[]), ...ids];
  return given === undefined && path.length === 1 ? addedFiles(ids) : ids;
}

interface PlacedFiles {
  readonly place: Place;
  readonly files: readonly ArrivedFile[];
}

function placedFiles(data: Container, form: Form): PlacedFiles[] {
  return [...new Set(form.files.map(({ field }) => field))].map((field) => {
    const place = placeOf(data, field);
    const own = form.files.filter((file) => file.field === field);
    return { place, files: own.map((file) => ({ file, path: place.path })) };
  });
}

/** Stores the files of a form, and names them in `data`. */
async function storeInto(ctx: Context, uploads: UploadContext, data: Container, form: Form): Promise<void> {
  const placed = placedFiles(data, form);
  const files = placed.flatMap((part) => part.files);
  const stored: FlatFile[] = await createFiles(uploads, { files, infos: [], caller: callerOf(ctx) });
  undoOnFailure(ctx, () => takeBack(uploads, stored));
  ctx.state['ownFiles'] = new Set(stored.map(({ id }) => id));
  let next = 0;
  for (const { place, files: own } of placed) {
    const ids = stored.slice(next, next + own.length).map(({ id }) => id);
    place.holder[place.attribute] = withFiles(place, ids);
    next += own.length;
  }
}

const OF_ENTRY = /^\/api\/(?<plural>[^/]+)\/(?<id>[1-9]\d{0,14})\/?$/u;

/** Throws NotFoundError if the path names an entry that is not there: then nothing of the body needs to arrive. */
async function checkEntry(ctx: Context, { types: { types }, database }: UploadContext): Promise<void> {
  const { plural, id } = OF_ENTRY.exec(ctx.path)?.groups ?? {};
  const type = Object.values(types).find(({ kind, pluralName }) => kind === 'collectionType' && pluralName === plural);
  if (ctx.method !== 'PUT' || !type || id === undefined) return;
  const found = await database.get(sql`SELECT id FROM ${database.dialect.id(type.table)} WHERE id = ${Number(id)}`);
  if (!found) throw new NotFoundError();
}

/** Receives a form. Its parts are checked as they arrive, so that no file is kept that has no place, or that the caller may not send. */
async function receive(
  ctx: Context,
  share: Share | undefined,
): Promise<{ readonly form: Form; readonly data: Container }> {
  const uploads = uploadsOf(ctx);
  const caller = callerOf(ctx);
  const limits: FormLimits = {
    maxFileSize: uploads?.settings.maxSize ?? 0,
    maxFiles: uploads?.settings.maxFiles ?? 0,
    maxFieldSize: ctx.state['bodyLimit'] as number,
  };
  let data: Container | undefined;
  const form = await receiveForm(ctx.req, {
    limits,
    temp: uploads?.temp,
    share,
    onField: (field) => {
      if (field.name !== 'data') return;
      if (data) throw new BadRequestError('The field data is given more than once');
      data = parseData(field);
    },
    onFile: (name) => {
      if (!hasRight(caller, 'newFiles', 'upload')) throw forbidden(caller, 'newFiles', 'upload');
      // Clients may send data last: then the files wait for it where they arrive.
      if (data) placeOf(data, name);
    },
  });
  if (data) return { form, data };
  await discardForm(form);
  throw new BadRequestError('Missing "data" payload in the request body');
}

/**
 * The `data` of a multipart body, its attributes naming the files that came with it. These are stored by then, and are
 * taken back if the request fails after all. Throws HttpError as for other bodies; then nothing is stored.
 */
export async function readEntryForm(ctx: Context): Promise<unknown> {
  const uploads = uploadsOf(ctx);
  if (uploads) await checkEntry(ctx, uploads);
  const share = uploads && shareOf(ctx, uploads);
  try {
    const { form, data } = await receive(ctx, share);
    try {
      if (uploads && form.files.length > 0) await storeInto(ctx, uploads, data, form);
      return data;
    } finally {
      await discardForm(form);
    }
  } finally {
    share?.release();
  }
}
