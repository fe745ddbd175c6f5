/** Mounts uploads. Loaded only if the schema has media. */
import { isJobWorker, SINGLE_WORKER, type WorkerSlot } from '../../base/siblings.ts';
import { HttpError } from '../../contract/errors.ts';
import { FILE_ROUTES } from '../../contract/routes/files.ts';
import type { Feature } from '../../http/feature.ts';
import { mountRoutes } from '../../http/mount-routes.ts';
import { cachedFor } from '../../http/readiness.ts';
import { fileTools } from './file-tools.ts';
import { openUploads, type UploadContext } from './context.ts';
import type { UploadSettings } from './upload-settings.ts';
import { fileCollection } from './file-collection.ts';
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

/** Uploads, for servers whose schema has media. */
export const upload: Feature<{ readonly uploads: UploadSettings; readonly worker: WorkerSlot | undefined }> = {
  name: 'upload',
  routes: FILE_ROUTES,
  async start({ definition, database, reader, hooked: hookedOf, provide, settings, logger, siblings }) {
    const types = definition.contentTypes;
    const context = await openUploads({
      database,
      types,
      reader,
      hookedOf,
      settings: settings.uploads,
      logger,
      siblings,
    });
    if (!context) throw new Error('this server has no type "file": generate it again');
    const { fileType } = context;
    provide('file', ({ hooked, isTransaction, ...place }) =>
      fileCollection({ ...context, ...place, hooked: hooked(fileType), hookedOf: hooked }, isTransaction),
    );
    const sweeper = isJobWorker(settings.worker ?? SINGLE_WORKER) ? startSweeper(context) : undefined;
    return {
      mounts: [mountRoutes(FILE_ROUTES, async () => (await import('./upload-routes.ts')).fileHandlers(context))],
      middleware: { assets: serveFiles(context.storage), api: uploadRequests(context) },
      tools: fileTools(context),
      readiness: cachedFor(READY_KEPT_MS, () => canStore(context)),
      stop: async () => sweeper?.stop(),
    };
  },
};
