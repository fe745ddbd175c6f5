/** Uploads that continue where they were cut off. Loaded only if the schema has them. */
import { join } from 'node:path';
import type { Middleware } from 'koa';
import type { Siblings } from '../../../base/siblings.ts';
import type { MovedClock } from '../../../database/moved-clock.ts';
import type { Handlers } from '../../../http/mount-routes.ts';
import type { UploadContext } from '../context.ts';
import { createFinishing } from './finish-upload.ts';
import { resumableHandlers } from './resumable-handlers.ts';
import { tusHeaders } from './tus-headers.ts';
import { openUnfinished } from './unfinished-uploads.ts';
import { createHolds } from './upload-holds.ts';

export interface Resumable {
  readonly handlers: Handlers;
  readonly headers: Middleware;
  removeExpired(): Promise<void>;
}

/** Opens the folder of unfinished uploads, beside the one of incoming files. Throws if it can't be created. */
export async function openResumable(context: UploadContext, clock: MovedClock, siblings: Siblings): Promise<Resumable> {
  const { settings } = context;
  const directory = join(settings.directory, '.resumable');
  const holds = createHolds(directory, siblings);
  const uploads = await openUnfinished({
    directory,
    maxTotal: settings.maxUnfinished,
    holds,
    now: () => Date.now() + clock.moved,
  });
  const finishing = createFinishing(context, uploads);
  return {
    handlers: resumableHandlers({ context, uploads, holds, finishing }),
    headers: tusHeaders(settings.maxSize),
    removeExpired: () => uploads.removeExpired(),
  };
}
