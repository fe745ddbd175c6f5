/** Mounts uploads. Loaded only if the schema has media. */
import type { Middleware } from 'koa';
import { isJobWorker, SINGLE_WORKER, type WorkerSlot } from '../../base/siblings.ts';
import { HttpError } from '../../contract/errors.ts';
import { FILE_ROUTES } from '../../contract/routes/files.ts';
import type { Feature } from '../../http/feature.ts';
import type { Logger } from '../../http/log.ts';
import { mountRoutes } from '../../http/mount-routes.ts';
import { cachedFor } from '../../http/readiness.ts';
import { fileTools } from './file-tools.ts';
import { openUploads, type UploadContext } from './context.ts';
import type { UploadSettings } from './upload-settings.ts';
import { fileCollection } from './file-collection.ts';
import { guardFiles } from './guard-files.ts';
import { serveFiles } from './serve-files.ts';
import { describeFault } from '../../storage/storage-faults.ts';
import { startSweeper } from './sweeper.ts';
import { uploadRequests } from './upload-requests.ts';

/** The probe writes a file, so its result is cached. */
const READY_KEPT_MS = 5000;

async function canStore({ temp }: UploadContext): Promise<string | undefined> {
  try {
    await temp.probe();
    return undefined;
  } catch (error) {
    return describeFault(error instanceof HttpError ? error.cause : error) ?? "files can't be stored";
  }
}

/** Files that not everyone may find are served by this server alone. */
function withoutPublicUrl(settings: UploadSettings, { warn }: Pick<Logger, 'warn'>): UploadSettings {
  const { s3 } = settings;
  if (s3?.publicUrl === undefined) return settings;
  warn(
    'S3_PUBLIC_URL is not used, because rules say who may find files: make the bucket private, and remove the setting',
  );
  return { ...settings, s3: { ...s3, publicUrl: undefined } };
}

function inOrder(first: Middleware, second: Middleware): Middleware {
  return (ctx, next) => first(ctx, () => second(ctx, next));
}

/** Uploads, for servers whose schema has media. */
export const upload: Feature<{ readonly uploads: UploadSettings; readonly worker: WorkerSlot | undefined }> = {
  name: 'upload',
  routes: FILE_ROUTES,
  async start({ definition, database, reader, hooked: hookedOf, provide, settings, logger, siblings, fileUrls }) {
    const types = definition.contentTypes;
    const context = await openUploads({
      database,
      types,
      reader,
      hookedOf,
      settings: fileUrls ? withoutPublicUrl(settings.uploads, logger) : settings.uploads,
      logger,
      siblings,
      sizes: definition.imageSizes,
    });
    if (!context) throw new Error('this server has no type "file": generate it again');
    const { fileType } = context;
    provide('file', ({ hooked, isTransaction, ...place }) =>
      fileCollection({ ...context, ...place, hooked: hooked(fileType), hookedOf: hooked }, isTransaction),
    );
    const sweeper = isJobWorker(settings.worker ?? SINGLE_WORKER) ? startSweeper(context) : undefined;
    return {
      mounts: [mountRoutes(FILE_ROUTES, async () => (await import('./upload-routes.ts')).fileHandlers(context))],
      middleware: fileUrls
        ? { api: inOrder(serveFiles(context.storage, guardFiles(context, fileUrls)), uploadRequests(context)) }
        : { assets: serveFiles(context.storage), api: uploadRequests(context) },
      tools: fileTools(context),
      readiness: cachedFor(READY_KEPT_MS, () => canStore(context)),
      stop: async () => sweeper?.stop(),
    };
  },
};
