/** Handlers of `/api/upload`, with Strapi's flat responses. */
import type { Context } from 'koa';
import { BadRequestError } from '../../contract/errors.ts';
import { WRITE_COST } from '../../query/cost.ts';
import { readObject } from '../../http/body.ts';
import type { InTransaction } from '../../http/feature.ts';
import { changeFiles } from './change-files.ts';
import { explainMissingModule } from '../../base/missing-module.ts';
import { hasCrop, hasFocalPoint } from './store-files.ts';
import { clientOf } from '../../http/client.ts';
import type { FILE_ROUTES } from '../../contract/routes/files.ts';
import type { Handlers, IdsOf } from '../../http/mount-routes.ts';
import { callContextOf, callerOf, requestOf } from '../../http/request.ts';
import { bodyWatch, format, parsedBody, receivedForm } from '../../http/state.ts';
import { flatFormat } from '../../query/format.ts';
import { requireRight } from '../../contract/policy/rights.ts';
import { fileId } from './file-id.ts';
import { type Attacher, attachFiles, attachmentOf } from './attach-files.ts';
import type { UploadContext } from './context.ts';
import { checkInfo, infoOf, type InfoScope, parseFileInfos } from './file-info.ts';
import { changeInfo, createFiles, getFile, listFiles, removeFile, replaceFile, requireFile } from './files-service.ts';
import { usesOf } from './file-uses.ts';
import type { FlatFile } from './flat-file.ts';
import { shownFiles } from './file-hooks.ts';
import { discardForm, type Form, type FormField, receiveForm } from './multipart.ts';
import type { ArrivedFile } from './inspect-files.ts';
import { shareOf } from './upload-requests.ts';

const MAX_INFO_SIZE = 64 * 1024;
/** An info has three texts, of at most a kilobyte each. */
const MAX_FIELDS_SIZE = 4 * MAX_INFO_SIZE;

/** The part names of files. */
const FILES: ReadonlySet<string> = new Set(['files', 'files[]']);

function filesOf(form: Form): ArrivedFile[] {
  const files = form.files.filter(({ field }) => FILES.has(field));
  if (files.length < form.files.length) throw new BadRequestError('Files must be sent as files');
  return files.map((file, index) => ({ file, path: ['files', String(index)] }));
}

/** Infos of files that are there can have a focal point and a crop: of new ones, nobody has seen the versions. */
function scopeOf(context: UploadContext, isOfStored: boolean): InfoScope {
  return {
    folders: context.folders,
    tags: context.tags,
    takesFocalPoint: isOfStored && hasFocalPoint(context),
    takesCrop: isOfStored && hasCrop(context),
  };
}

function infosOf(context: UploadContext, form: Form, isOfStored = false) {
  const texts = form.fields.filter(({ name }) => name === 'fileInfo').map(({ value }) => value);
  return parseFileInfos(texts, context.settings.maxFiles, scopeOf(context, isOfStored));
}

function attacherOf(ctx: Context): Attacher {
  return { caller: callerOf(ctx), byDocument: format.get(ctx)?.rules === 'v5', locale: ctx.query['locale'] };
}

/** Stores new files, and attaches them if the form requests it. */
async function upload(context: UploadContext, ctx: Context, form: Form): Promise<FlatFile[]> {
  const call = callContextOf(ctx);
  const to = attachmentOf(context, form, attacherOf(ctx));
  const files = filesOf(form);
  if (files.length === 0) throw new BadRequestError('Files are empty');
  const request = { files, infos: infosOf(context, form), call, client: clientOf(ctx) };
  return to ? attachFiles(context, to, request) : createFiles(context, request);
}

/** Updates the info of a file. A new file in the form replaces the bytes, which requires the right to remove the old ones. */
async function change(context: UploadContext, ctx: Context, id: number, form: Form): Promise<FlatFile> {
  const call = callContextOf(ctx);
  const [file, ...further] = filesOf(form);
  const info = infoOf(infosOf(context, form, !file), 0);
  if (!file && (info.focalPoint !== undefined || info.crop !== undefined)) {
    const { changeView } = await import('./focus/change-view.ts').catch(
      explainMissingModule('uploads.focalPoints or uploads.crops'),
    );
    return changeView(context, id, { sent: info, call, client: clientOf(ctx) });
  }
  if (!file) return changeInfo(context, id, info, call);
  if (further.length > 0) throw new BadRequestError('A file can only be replaced by a single file');
  requireRight(call.caller, 'replacedFiles', 'upload');
  return replaceFile(context, id, { file, info, call, client: clientOf(ctx) });
}

/** The id of the file that `?id=` names; undefined if absent. */
async function idToChange(context: UploadContext, ctx: Context): Promise<number | undefined> {
  const { id } = ctx.query;
  return id === undefined ? undefined : fileId(context, String(id));
}

/** Checks that are possible before any byte of a file is stored. */
function checkFile(
  context: UploadContext,
  ctx: Context,
  {
    id,
    name,
    fields,
  }: { readonly id: number | undefined; readonly name: string; readonly fields: readonly FormField[] },
): void {
  const caller = callerOf(ctx);
  if (!FILES.has(name)) throw new BadRequestError('Files must be sent as files');
  if (id !== undefined) requireRight(caller, 'replacedFiles', 'upload');
  const isComplete = ['ref', 'refId', 'field'].every((part) => fields.some((field) => field.name === part));
  if (id === undefined && isComplete) attachmentOf(context, { fields }, attacherOf(ctx));
}

/** The info of a file that a part of a larger request changes, without a form. */
async function changeAlone(context: UploadContext, ctx: Context, body: object): Promise<FlatFile> {
  const id = (await idToChange(context, ctx)) ?? 0;
  const call = callContextOf(ctx);
  await requireFile(context, id, call);
  return changeInfo(context, id, checkInfo('fileInfo' in body ? body.fileInfo : {}, context), call);
}

async function post(context: UploadContext, ctx: Context): Promise<FlatFile | FlatFile[]> {
  const received = receivedForm.get(ctx);
  // Only `receiveForm` makes them.
  if (received) return upload(context, ctx, received as Form);
  const body = parsedBody.get(ctx);
  if (body) return changeAlone(context, ctx, body);
  if (!ctx.is('multipart/form-data')) throw new BadRequestError('Files are empty');
  const id = await idToChange(context, ctx);
  if (id !== undefined) await requireFile(context, id, callContextOf(ctx));
  const { maxSize, maxFiles } = context.settings;
  const share = shareOf(ctx, context);
  const scope = scopeOf(context, id !== undefined);
  try {
    const form = await receiveForm(ctx.req, {
      limits: { maxFileSize: maxSize, maxFiles, maxFieldSize: MAX_INFO_SIZE, maxFieldsSize: MAX_FIELDS_SIZE },
      temp: context.temp,
      share,
      watch: bodyWatch.get(ctx),
      onField: ({ name, value }) => {
        if (name === 'fileInfo') parseFileInfos([value], maxFiles, scope);
      },
      onFile: (name, fields) => checkFile(context, ctx, { id, name, fields }),
    });
    try {
      return await (id === undefined ? upload(context, ctx, form) : change(context, ctx, id, form));
    } finally {
      await discardForm(form);
    }
  } finally {
    share.release();
  }
}

async function answer(context: UploadContext, ctx: Context, files: FlatFile | readonly FlatFile[]): Promise<void> {
  const shown = await shownFiles(context, callContextOf(ctx), [files].flat());
  ctx.body = JSON.stringify(Array.isArray(files) ? shown : shown[0]);
}

export function fileHandlers(
  context: UploadContext,
  inTransaction: InTransaction,
): Handlers<IdsOf<typeof FILE_ROUTES>> {
  const idOf = (ctx: Context) => fileId(context, String((ctx.params as { readonly id?: unknown }).id));
  const requested = (ctx: Context) => ({ ...requestOf(ctx), format: flatFormat(context.fileType) });
  return {
    async uploadFiles(ctx) {
      await answer(context, ctx, await post(context, ctx));
      if (format.get(ctx)?.rules === 'v5') ctx.status = 201;
    },
    async listFiles(ctx) {
      const request = requested(ctx);
      const query = context.tags?.narrow(request.query, ctx.query) ?? request.query;
      ctx.body = await listFiles(context, { ...request, query });
    },
    async changeFiles(ctx) {
      const body = await readObject(ctx);
      // Repeated, it changes nothing more: no key is needed.
      const { caller, requestId } = callContextOf(ctx);
      const { files } = body as { readonly files?: unknown };
      await clientOf(ctx).meter?.charge((Array.isArray(files) ? files.length : 1) * WRITE_COST);
      await answer(context, ctx, await changeFiles(context, inTransaction, body, { caller, requestId }));
    },
    getFile: async (ctx) => answer(context, ctx, await getFile(context, await idOf(ctx), requested(ctx))),
    async listFileUses(ctx) {
      const id = await idOf(ctx);
      await getFile(context, id, requested(ctx));
      ctx.body = JSON.stringify(await usesOf(context, id, requestOf(ctx)));
    },
    deleteFile: async (ctx) => answer(context, ctx, await removeFile(context, await idOf(ctx), callContextOf(ctx))),
  };
}
