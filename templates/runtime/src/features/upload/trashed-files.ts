/** The trash of files: which ones were deleted, and how they come back, with their bytes. */
import type { Context } from 'koa';
import type { FILE_TRASH_ROUTES } from '../../contract/routes/files.ts';
import type { MovedClock } from '../../database/moved-clock.ts';
import type * as Deletions from '../../entries/trash/deletions.ts';
import { parseEntryKey } from '../../http/entry-id.ts';
import type { Handlers, IdsOf } from '../../http/mount-routes.ts';
import { callContextOf, requestOf } from '../../http/request.ts';
import { entryAnswer } from '../../query/answer.ts';
import { flatFormat } from '../../query/format.ts';
import type { UploadContext } from './context.ts';
import { shownFiles } from './file-hooks.ts';
import { readFile, storedNames } from './files-service.ts';
import { flatFile } from './flat-file.ts';
import { bringFilesBack } from './pending-files.ts';

export function trashedFileHandlers(
  context: UploadContext,
  clock: MovedClock,
  { listDeleted, restoreDeleted }: typeof Deletions,
): Handlers<IdsOf<typeof FILE_TRASH_ROUTES>> {
  const { hooked, fileType } = context;
  return {
    async listDeletedFiles(ctx: Context) {
      ctx.body = await listDeleted(hooked, clock, callContextOf(ctx), ctx.query['before']);
    },
    async restoreDeletedFile(ctx: Context) {
      const key = parseEntryKey(String((ctx.params as { readonly id?: unknown }).id), fileType);
      const request = { ...requestOf(ctx), format: flatFormat(fileType) };
      const restored = await restoreDeleted(hooked, clock, key, request, async (tx, { id }) => [
        ...bringFilesBack(storedNames(context, await readFile(tx, context, request, id))),
        ...(context.folders ? [context.folders.comesBack(id)] : []),
      ]);
      const [shown] = await shownFiles(context, request, [flatFile(entryAnswer(restored).entry())]);
      ctx.body = JSON.stringify(shown);
    },
  };
}
