/** Mounts uploads. Loaded only if the schema has media. */
import type { Middleware } from 'koa';
import type { LateRouter } from '../../http/dispatch.ts';
import { HttpError } from '../../contract/errors.ts';
import { keptFor, type ReadinessCheck } from '../../http/readiness.ts';
import { openUploads, type UploadContext, type UploadOptions } from './context.ts';
import { serveFiles } from './serve-files.ts';
import { describeFault } from '../../storage/storage-faults.ts';
import { startSweeper } from './sweeper.ts';
import { uploadRequests } from './upload-requests.ts';

export interface Uploads {
  /** Serves stored files. */
  readonly files: Middleware;
  /** Wraps the requests that may upload files. */
  readonly requests: Middleware;
  readonly routes: LateRouter;
  /** Whether files can be stored. */
  readonly readiness: ReadinessCheck;
  /** Stops background work. */
  close(): Promise<void>;
}

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

/** Opens the storage and the temporary folder. Returns undefined and throws like `openUploads`. */
export async function mountUploads(options: UploadOptions): Promise<Uploads | undefined> {
  const context = await openUploads(options);
  if (!context) return undefined;
  const sweeper = startSweeper(context);
  return {
    files: serveFiles(context.storage),
    requests: uploadRequests(context),
    routes: {
      prefix: '/api/upload',
      load: async () => (await import('./upload-routes.ts')).uploadRoutes(context),
    },
    readiness: keptFor(READY_KEPT_MS, () => canStore(context)),
    close: () => sweeper.stop(),
  };
}
