/**
 * Multipart bodies of requests that create or update an entry: `data` as JSON text, and files as `files.<attribute>`.
 */
import type { Context } from 'koa';
import { lazyImport } from '../../base/lazy-import.ts';
import { explainMissingModule } from '../../base/missing-module.ts';
import { sql } from '../../database/sql.ts';
import { BadRequestError, NotFoundError } from '../../contract/errors.ts';
import { waitForBodyTurn } from '../../http/long-requests.ts';
import { callerOf } from '../../http/request.ts';
import { bodyLimit, bodyWatch } from '../../http/state.ts';
import { forbidden, hasRight } from '../../contract/policy/rights.ts';
import { parseJson } from '../../contract/values/parse-json.ts';
import type { Share } from './arriving-bytes.ts';
import type { UploadContext } from './context.ts';
import { type Container, resolveFieldPath } from './field-path.ts';
import { discardForm, type Form, type FormField, type FormLimits, receiveForm } from './multipart.ts';
import { shareOf, uploadsOf } from './upload-requests.ts';

const loadStoreInto = lazyImport(() => import('./store-form-files.ts').catch(explainMissingModule('media')));

function parseData({ value }: FormField): Container {
  const data = parseJson(value);
  if (typeof data === 'object' && data !== null && !Array.isArray(data)) return data as Container;
  throw new BadRequestError('Missing "data" payload in the request body');
}

const OF_ENTRY = /^\/api\/(?<plural>[^/]+)\/(?<id>[1-9]\d{0,14})\/?$/u;

/** Throws NotFoundError for an update of a missing entry, before the body is read. */
async function checkEntry(ctx: Context, { types: { types }, database }: UploadContext): Promise<void> {
  const { plural, id } = OF_ENTRY.exec(ctx.path)?.groups ?? {};
  const type = Object.values(types).find(({ kind, pluralName }) => kind === 'collectionType' && pluralName === plural);
  if (ctx.method !== 'PUT' || !type || id === undefined) return;
  const found = await database.get(sql`SELECT id FROM ${database.dialect.id(type.table)} WHERE id = ${Number(id)}`);
  if (!found) throw new NotFoundError();
}

/** The field `data` of a form, parsed when it is needed: in a turn of its own if it is long. */
class DataField {
  readonly #ctx: Context;
  #field: FormField | undefined;
  #parsed: Promise<Container> | undefined;

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  /** Throws BadRequestError if there is another one. */
  set(field: FormField): void {
    if (this.#field) throw new BadRequestError('The field data is given more than once');
    this.#field = field;
  }

  /** Undefined before it has arrived. */
  value(): Promise<Container> | undefined {
    return this.#field && (this.#parsed ??= this.#parse(this.#field));
  }

  async #parse(field: FormField): Promise<Container> {
    await waitForBodyTurn(this.#ctx, field.value.length);
    return parseData(field);
  }
}

/**
 * Receives a form. Parts are checked as they arrive, so that no file is stored for an unknown attribute, or without
 * permission.
 */
async function receive(
  ctx: Context,
  share: Share | undefined,
): Promise<{ readonly form: Form; readonly data: Container }> {
  const uploads = uploadsOf(ctx);
  const caller = callerOf(ctx);
  const size = bodyLimit.get(ctx) ?? 0;
  const limits: FormLimits = {
    maxFileSize: uploads?.settings.maxSize ?? 0,
    maxFiles: uploads?.settings.maxFiles ?? 0,
    maxFieldSize: size,
    maxFieldsSize: size,
  };
  const sent = new DataField(ctx);
  const form = await receiveForm(ctx.req, {
    limits,
    temp: uploads?.temp,
    share,
    watch: bodyWatch.get(ctx),
    onField: (field) => {
      if (field.name === 'data') sent.set(field);
    },
    onFile: async (name) => {
      if (!hasRight(caller, 'newFiles', 'upload')) throw forbidden(caller, 'newFiles', 'upload');
      // Clients may send `data` last: then the attribute is checked by `storeInto`.
      const data = await sent.value();
      if (data) resolveFieldPath(data, name);
    },
  });
  try {
    const data = await sent.value();
    if (data) return { form, data };
    throw new BadRequestError('Missing "data" payload in the request body');
  } catch (error) {
    await discardForm(form);
    throw error;
  }
}

/**
 * Stores the files of a multipart body and returns its `data`, with their ids set in the attributes. If the request fails later, the
 * files are removed. Throws HttpError as for other bodies; then nothing is stored.
 */
export async function readEntryForm(ctx: Context): Promise<unknown> {
  const uploads = uploadsOf(ctx);
  if (uploads) await checkEntry(ctx, uploads);
  const share = uploads && shareOf(ctx, uploads);
  try {
    const { form, data } = await receive(ctx, share);
    try {
      if (uploads && form.files.length > 0) {
        const { storeInto } = await loadStoreInto();
        await storeInto(ctx, uploads, data, form);
      }
      return data;
    } finally {
      await discardForm(form);
    }
  } finally {
    share?.release();
  }
}
