/** Reads multipart bodies of requests for entries. The server hands it to `readData`, which so needs not know of uploads. */
import type { Context } from 'koa';

/** The `data` of a multipart body, with the ids of the files that came along. Throws HttpError; then nothing is stored. */
export type FormReader = (ctx: Context) => Promise<unknown>;

export function setFormReader(ctx: Context, read: FormReader): void {
  ctx.state['formReader'] = read;
}

/** That of the request; undefined where the server takes no forms. */
export function formReaderOf(ctx: Context): FormReader | undefined {
  return ctx.state['formReader'] as FormReader | undefined;
}
