/** Uploads of a request, and their removal if it fails. */
import type { Context, Middleware } from 'koa';
import { explainMissingModule } from '../../base/missing-module.ts';
import { callerName } from '../../http/caller-name.ts';
import { formReceiver, type FormReceiver, stateKey } from '../../http/state.ts';
import type { Share } from './arriving-bytes.ts';
import type { UploadContext } from './context.ts';

type Undo = () => Promise<void>;

const uploadsKey = stateKey<UploadContext>('uploads');
const undoKey = stateKey<Undo[]>('undo');

/** The uploads of the server; undefined if nothing in its schema refers to files. */
export function uploadsOf(ctx: Context): UploadContext | undefined {
  return uploadsKey.get(ctx);
}

/** The share of the caller's upload quota. */
export function shareOf(ctx: Context, { shares }: UploadContext): Share {
  return shares(callerName(ctx));
}

/** Registers `undo` to run if the request fails. */
export function undoOnFailure(ctx: Context, undo: Undo): void {
  undoKey.get(ctx)?.push(undo);
}

/** Middleware around every request that may contain files; `uploadsOf` and `undoOnFailure` depend on it. */
export function uploadRequests(uploads: UploadContext): Middleware {
  const runAll = async (undos: readonly Undo[]): Promise<void> => {
    for (const undo of undos) {
      try {
        await undo();
      } catch (error) {
        // The response reports the original error.
        uploads.logger.error({ err: error }, 'uploaded files of a failed request could not be removed');
      }
    }
  };
  const receive: FormReceiver = async (ctx, options) => {
    const { receiveRequestForm } = await import('./receive-request-form.ts').catch(explainMissingModule('media'));
    return receiveRequestForm(uploads, ctx, { ...options, share: shareOf(ctx, uploads) });
  };
  return async (ctx, next) => {
    const undos: Undo[] = [];
    formReceiver.set(ctx, receive);
    uploadsKey.set(ctx, uploads);
    undoKey.set(ctx, undos);
    try {
      await next();
    } catch (error) {
      await runAll(undos);
      throw error;
    }
    if (ctx.status >= 400) await runAll(undos);
  };
}
