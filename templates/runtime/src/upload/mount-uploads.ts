/** What a server with files has beside its other routes. Loaded only where the schema refers to files. */
import type { Middleware } from 'koa';
import type { LateRouter } from '../http/dispatch.ts';
import { openUploads, type UploadOptions } from './context.ts';
import { serveFiles } from './serve-files.ts';
import { startSweeper } from './sweeper.ts';
import { uploadRequests } from './upload-requests.ts';

export interface Uploads {
  /** Answers requests for stored files. */
  readonly files: Middleware;
  /** Around the requests that may bring files. */
  readonly requests: Middleware;
  readonly routes: LateRouter;
  /** Ends what goes on beside the requests. */
  close(): Promise<void>;
}

/** Opens storage and temporary folder. Undefined and throws as `openUploads`. */
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
    close: () => sweeper.stop(),
  };
}
