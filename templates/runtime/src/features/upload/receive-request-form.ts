/** Receives forms for other features: multipart bodies of which the files are stored as uploads of the caller. */
import type { Context } from 'koa';
import { bodyWatch, type FormReceiver } from '../../http/state.ts';
import type { Share } from './arriving-bytes.ts';
import type { UploadContext } from './context.ts';
import { discardForm, receiveForm } from './multipart.ts';

export async function receiveRequestForm(
  uploads: UploadContext,
  ctx: Context,
  { maxFieldSize, onFile, share }: Parameters<FormReceiver>[1] & { readonly share: Share },
): ReturnType<FormReceiver> {
  const { maxSize, maxFiles } = uploads.settings;
  try {
    const form = await receiveForm(ctx.req, {
      limits: { maxFileSize: maxSize, maxFiles, maxFieldSize, maxFieldsSize: 2 * maxFieldSize },
      temp: uploads.temp,
      share,
      watch: bodyWatch.get(ctx),
      onFile: (_, fields) => onFile(fields),
    });
    return {
      form,
      async discard() {
        share.release();
        await discardForm(form);
      },
    };
  } catch (error) {
    share.release();
    throw error;
  }
}
