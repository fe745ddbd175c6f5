/** The handlers of the routes `/api/upload/folders`. Loaded by the first request to one of them. */
import type { Context } from 'koa';
import type { FOLDER_ROUTES } from '../../../contract/routes/folders.ts';
import { NotFoundError } from '../../../contract/errors.ts';
import { type Folder, FOLDER_ATTRIBUTE, TOP_FOLDER } from '../../../contract/upload-folders.ts';
import { sql } from '../../../database/sql.ts';
import { readObject } from '../../../http/body.ts';
import { parseEntryId } from '../../../http/entry-id.ts';
import type { Handlers, IdsOf } from '../../../http/mount-routes.ts';
import { callerOf, requestOf } from '../../../http/request.ts';
import { flatFormat } from '../../../query/format.ts';
import { narrowed } from '../../../query/narrowing.ts';
import type { UploadContext } from '../context.ts';
import { fileId } from '../file-id.ts';
import { getFile, listFiles } from '../files-service.ts';
import { changeFolder, createFolder, deleteFolder } from './change-folders.ts';
import { folderInput } from './folder-input.ts';
import { readTree } from './folder-rows.ts';
import { withDescendants } from './folder-tree.ts';

function idText(ctx: Context): string {
  return String((ctx.params as { readonly id?: unknown }).id);
}

/** The filter for the files in the folder of a request. Throws NotFoundError. */
async function insideOf({ database }: UploadContext, ctx: Context): Promise<object | undefined> {
  const isNested = ctx.query['nested'] === 'true';
  if (idText(ctx) === String(TOP_FOLDER)) return isNested ? undefined : { [FOLDER_ATTRIBUTE]: { $null: true } };
  const id = parseEntryId(idText(ctx));
  const tree = await readTree(database);
  if (!tree.has(id)) throw new NotFoundError();
  return { [FOLDER_ATTRIBUTE]: { $in: isNested ? [...withDescendants(tree, id)] : [id] } };
}

async function folderOf({ database, fileType }: UploadContext, file: number): Promise<Folder | null> {
  const { id: quote } = database.dialect;
  const row = await database.get(
    sql`SELECT ${quote(FOLDER_ATTRIBUTE)} AS folder FROM ${quote(fileType.table)} WHERE id = ${file}`,
  );
  const folder = row?.['folder'] ?? null;
  return folder === null ? null : ((await readTree(database)).get(Number(folder)) ?? null);
}

export function folderHandlers(context: UploadContext): Handlers<IdsOf<typeof FOLDER_ROUTES>> {
  const { fileType, folders } = context;
  const requested = (ctx: Context) => ({ ...requestOf(ctx), format: flatFormat(fileType) });
  const permit = (ctx: Context): void => folders?.permit(callerOf(ctx));
  return {
    async listFolders(ctx) {
      permit(ctx);
      ctx.body = [...(await readTree(context.database)).values()];
    },
    async createFolder(ctx) {
      permit(ctx);
      ctx.body = await createFolder(context, folderInput(await readObject(ctx), true));
      ctx.status = 201;
    },
    async updateFolder(ctx) {
      permit(ctx);
      const input = folderInput(await readObject(ctx), false);
      ctx.body = await changeFolder(context, parseEntryId(idText(ctx)), input);
    },
    async deleteFolder(ctx) {
      permit(ctx);
      await deleteFolder(context, parseEntryId(idText(ctx)));
      ctx.status = 204;
    },
    async listFolderFiles(ctx) {
      permit(ctx);
      const request = requested(ctx);
      const filter = await insideOf(context, ctx);
      const inside = filter ? narrowed(request.query, { [fileType.uid]: filter }) : request.query;
      const query = context.tags?.narrow(inside, ctx.query) ?? inside;
      ctx.body = await listFiles(context, { ...request, query });
    },
    async getFileFolder(ctx) {
      permit(ctx);
      const id = await fileId(context, idText(ctx));
      await getFile(context, id, requested(ctx));
      ctx.body = { folder: await folderOf(context, id) };
    },
  };
}
