/**
 * Stores the files of a multipart body that creates or updates an entry. Lazily loaded: servers without uploads never need it.
 */
import type { Context } from 'koa';
import { clientOf } from '../../http/client.ts';
import { callContextOf } from '../../http/request.ts';
import { ownFiles } from '../../http/state.ts';
import { addedFiles } from '../../content/relations/added-files.ts';
import type { UploadContext } from './context.ts';
import { createFiles, removeUploaded } from './files-service.ts';
import type { FlatFile } from './flat-file.ts';
import { type Container, type FieldPath, resolveFieldPath } from './field-path.ts';
import type { Form } from './multipart.ts';
import type { ArrivedFile } from './inspect-files.ts';
import { undoOnFailure } from './upload-requests.ts';

/**
 * The new value of the attribute: files are appended to those that `data` lists, or else to those that the entry has.
 */
function withFiles({ holder, attribute, path }: FieldPath, ids: readonly number[]): unknown {
  const given = Object.hasOwn(holder, attribute) ? holder[attribute] : undefined;
  if (Array.isArray(given)) return [...(given as unknown[]), ...ids];
  return given === undefined && path.length === 1 ? addedFiles(ids) : ids;
}

interface AttributeFiles {
  readonly target: FieldPath;
  readonly files: readonly ArrivedFile[];
}

function filesByAttribute(data: Container, form: Form): AttributeFiles[] {
  return [...new Set(form.files.map(({ field }) => field))].map((field) => {
    const target = resolveFieldPath(data, field);
    const own = form.files.filter((file) => file.field === field);
    return { target, files: own.map((file) => ({ file, path: target.path })) };
  });
}

/** Stores the files of a form, and sets their ids in `data`. */
export async function storeInto(ctx: Context, uploads: UploadContext, data: Container, form: Form): Promise<void> {
  const placed = filesByAttribute(data, form);
  const files = placed.flatMap((part) => part.files);
  // The key of the request is that of the entry's write.
  const { caller, requestId } = callContextOf(ctx);
  const call = { caller, requestId };
  const stored: FlatFile[] = await createFiles(uploads, { files, infos: [], call, client: clientOf(ctx) });
  undoOnFailure(ctx, () => removeUploaded(uploads, stored, call));
  ownFiles.set(ctx, new Set(stored.map(({ id }) => id)));
  let next = 0;
  for (const { target, files: own } of placed) {
    const ids = stored.slice(next, next + own.length).map(({ id }) => id);
    target.holder[target.attribute] = withFiles(target, ids);
    next += own.length;
  }
}
