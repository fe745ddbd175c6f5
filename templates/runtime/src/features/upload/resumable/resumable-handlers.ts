/** The handlers of the routes `/api/upload/resumable`. */
import type { Context } from 'koa';
import { RESUMABLE_PATH, type RESUMABLE_ROUTES } from '../../../contract/routes/resumable.ts';
import { BadRequestError, HttpError, NotFoundError } from '../../../contract/errors.ts';
import { callerName, isAnonymous } from '../../../http/caller-name.ts';
import { clientOf } from '../../../http/client.ts';
import { discardRest } from '../../../http/discard-rest.ts';
import type { Handlers, IdsOf } from '../../../http/mount-routes.ts';
import { callContextOf } from '../../../http/request.ts';
import { WRITE_COST } from '../../../query/cost.ts';
import type { UploadContext } from '../context.ts';
import { requireFolders } from '../files-service.ts';
import type { Finished, Finishing } from './finish-upload.ts';
import { requireVersion } from './tus-headers.ts';
import type { UnfinishedUpload, UnfinishedUploads } from './unfinished-uploads.ts';
import type { Hold, Holds } from './upload-holds.ts';
import { parseMetadata } from './upload-metadata.ts';

const WHOLE_NUMBER = /^\d{1,15}$/u;
const CONTENT_TYPE = 'application/offset+octet-stream';

interface Resumable {
  readonly context: UploadContext;
  readonly uploads: UnfinishedUploads;
  readonly holds: Holds;
  readonly finishing: Finishing;
}

/** Who may continue an upload. Those without an account are known by the secret id alone: their addresses change on the way. */
function ownerOf(ctx: Context): string {
  return isAnonymous(ctx) ? 'public' : callerName(ctx);
}

/** A header with a number of bytes. Throws BadRequestError. */
function bytesIn(ctx: Context, name: string): number {
  const text = ctx.get(name);
  if (WHOLE_NUMBER.test(text)) return Number(text);
  throw new BadRequestError(`${name} must be a number of bytes`);
}

function idOf(ctx: Context): string {
  return String((ctx.params as { readonly id?: unknown }).id);
}

/** The caller's own upload. */
async function ownUpload({ uploads }: Resumable, ctx: Context): Promise<UnfinishedUpload | undefined> {
  const upload = await uploads.find(idOf(ctx));
  return upload?.owner === ownerOf(ctx) ? upload : undefined;
}

/** What became of an upload that is no longer there. Throws NotFoundError if it never was the caller's, or has expired. */
async function finishedUpload({ finishing }: Resumable, ctx: Context): Promise<Finished> {
  const finished = await finishing.find({ id: idOf(ctx), owner: ownerOf(ctx) });
  if (!finished) throw new NotFoundError();
  return finished;
}

function announce(ctx: Context, { length, fileId }: Finished): void {
  ctx.set('Upload-Offset', String(length));
  if (fileId !== undefined) ctx.set('Upload-File-Id', String(fileId));
}

function finish({ finishing }: Resumable, ctx: Context, upload: UnfinishedUpload, hold: Hold): Promise<Finished> {
  hold.keep();
  return finishing.finish(upload, callContextOf(ctx), clientOf(ctx));
}

/** Holds the upload of a request while `work` runs. It may have been finished before: then `work` gets none. */
async function holding<T>(
  resumable: Resumable,
  ctx: Context,
  options: { readonly isEnding?: boolean },
  work: (upload: UnfinishedUpload | undefined, hold: Hold) => Promise<T>,
): Promise<T> {
  const hold = await resumable.holds.take(idOf(ctx), { ...options, stop: () => ctx.req.destroy() });
  try {
    return await work(await ownUpload(resumable, ctx), hold);
  } finally {
    await hold.release();
  }
}

async function create({ context, uploads }: Resumable, ctx: Context): Promise<void> {
  requireVersion(ctx.get('Tus-Resumable'));
  const { settings, database, folders, tags } = context;
  const length = bytesIn(ctx, 'Upload-Length');
  if (length === 0) throw new BadRequestError('An empty file can not be uploaded');
  if (length > settings.maxSize) {
    throw new HttpError(413, 'PayloadTooLargeError', `A file is larger than ${settings.maxSize} bytes`);
  }
  const metadata = ctx.get('Upload-Metadata');
  const said = parseMetadata(metadata, { folders, tags });
  await requireFolders(database, context, [said.info], callContextOf(ctx));
  await clientOf(ctx).meter?.charge(WRITE_COST);
  const upload = await uploads.create({ ...said, metadata, length, owner: ownerOf(ctx), caller: callerName(ctx) });
  ctx.status = 201;
  ctx.set({
    Location: `${RESUMABLE_PATH}/${upload.id}`,
    'Upload-Offset': '0',
    'Upload-Expires': uploads.expiryOf(upload).toUTCString(),
  });
  ctx.body = '';
}

/** Sets the offset of an unfinished upload. One that only has yet to be stored is stored: a client that knows that would send nothing more. */
async function look(resumable: Resumable, ctx: Context): Promise<Finished & { readonly offset: number }> {
  const { uploads } = resumable;
  const upload = await ownUpload(resumable, ctx);
  const offset = upload ? await uploads.arrived(upload.id) : 0;
  if (upload && offset < upload.length) {
    ctx.set({ 'Upload-Offset': String(offset), 'Upload-Expires': uploads.expiryOf(upload).toUTCString() });
    if (upload.metadata !== '') ctx.set('Upload-Metadata', upload.metadata);
    return { length: upload.length, offset };
  }
  const finished = upload
    ? await holding(resumable, ctx, {}, async (found, hold) => found && finish(resumable, ctx, found, hold))
    : undefined;
  const known = finished ?? (await finishedUpload(resumable, ctx));
  announce(ctx, known);
  return { ...known, offset: known.length };
}

/** Throws HttpError 409 or 413 before a byte is read. */
function checkPart(ctx: Context, { length }: Pick<UnfinishedUpload, 'length'>, offset: number): void {
  if (offset > length) throw new HttpError(409, 'ConflictError', `The upload has ${length} bytes`);
  if (Number(ctx.get('Content-Length') || 0) <= length - offset) return;
  throw new HttpError(413, 'PayloadTooLargeError', `The upload has ${length} bytes, as its Upload-Length said`);
}

async function receive(resumable: Resumable, ctx: Context): Promise<void> {
  requireVersion(ctx.get('Tus-Resumable'));
  const upload = await ownUpload(resumable, ctx);
  if (!upload) await finishedUpload(resumable, ctx);
  if (!ctx.is(CONTENT_TYPE) && ctx.get('Content-Type') !== CONTENT_TYPE) {
    throw new HttpError(415, 'UnsupportedMediaTypeError', `The part of a file must be sent as ${CONTENT_TYPE}`);
  }
  const offset = bytesIn(ctx, 'Upload-Offset');
  if (upload) checkPart(ctx, upload, offset);
  await holding(resumable, ctx, {}, async (found, hold) => {
    if (!found) {
      const finished = await finishedUpload(resumable, ctx);
      checkPart(ctx, finished, offset);
      if (offset < finished.length) throw new HttpError(409, 'ConflictError', 'The upload is complete');
      announce(ctx, finished);
      return;
    }
    const { uploads } = resumable;
    const arrived = await uploads.append(found, offset, ctx.req, hold);
    ctx.set({ 'Upload-Offset': String(arrived), 'Upload-Expires': uploads.expiryOf(found).toUTCString() });
    if (arrived === found.length) announce(ctx, await finish(resumable, ctx, found, hold));
  });
  ctx.status = 204;
}

async function end(resumable: Resumable, ctx: Context): Promise<void> {
  requireVersion(ctx.get('Tus-Resumable'));
  if (!(await ownUpload(resumable, ctx))) throw new NotFoundError();
  await holding(resumable, ctx, { isEnding: true }, async (found) => {
    if (!found) throw new NotFoundError();
    await resumable.uploads.remove(found.id);
  });
  ctx.status = 204;
}

export function resumableHandlers(resumable: Resumable): Handlers<IdsOf<typeof RESUMABLE_ROUTES>> {
  return {
    createUpload: (ctx) => create(resumable, ctx),
    async getUpload(ctx) {
      const { length, offset, fileId = null } = await look(resumable, ctx);
      ctx.set('Upload-Length', String(length));
      ctx.body = { length, offset, fileId };
    },
    async continueUpload(ctx) {
      try {
        await receive(resumable, ctx);
      } catch (error) {
        discardRest(ctx.req);
        throw error;
      }
    },
    endUpload: (ctx) => end(resumable, ctx),
  };
}
