/** The files of a multipart body that creates or updates an entry. Loaded where there are files to store, which a server without uploads never has. */
import type { Context } from 'koa';
import { callerOf } from '../../http/request.ts';
import { ownFiles } from '../../http/state.ts';
import { addedFiles } from '../../content/relations/added-files.ts';
import type { UploadContext } from './context.ts';
import { createFiles, takeBack, type FlatFile } from './files-service.ts';
import { placeOf, type Container, type Place } from './form-place.ts';
import type { Form } from './multipart.ts';
import type { ArrivedFile } from './store-files.ts';
import { undoOnFailure } from './upload-requests.ts';

/** What the attribute is given: beside the files that `data` lists, or to those that the entry has. */
function withFiles({ holder, attribute, path }: Place, ids: readonly number[]): unknown {
  const given = Object.hasOwn(holder, attribute) ? holder[attribute] : undefined;
  if (Array.isArray(given)) return [...(given as unknown[]), ...ids];
  return given === undefined && path.length === 1 ? addedFiles(ids) : ids;
}

interface PlacedFiles {
  readonly place: Place;
  readonly files: readonly ArrivedFile[];
}

function placedFiles(data: Container, form: Form): PlacedFiles[] {
  return [...new Set(form.files.map(({ field }) => field))].map((field) => {
    const place = placeOf(data, field);
    const own = form.files.filter((file) => file.field === field);
    return { place, files: own.map((file) => ({ file, path: place.path })) };
  });
}

/** Stores the files of a form, and names them in `data`. */
export async function storeInto(ctx: Context, uploads: UploadContext, data: Container, form: Form): Promise<void> {
  const placed = placedFiles(data, form);
  const files = placed.flatMap((part) => part.files);
  const stored: FlatFile[] = await createFiles(uploads, { files, infos: [], caller: callerOf(ctx) });
  undoOnFailure(ctx, () => takeBack(uploads, stored));
  ownFiles.set(ctx, new Set(stored.map(({ id }) => id)));
  let next = 0;
  for (const { place, files: own } of placed) {
    const ids = stored.slice(next, next + own.length).map(({ id }) => id);
    place.holder[place.attribute] = withFiles(place, ids);
    next += own.length;
  }
}
