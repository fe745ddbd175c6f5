/** Changes the focal point of an image, and cuts its versions around it. Loaded only if images have focal points. */
import { randomBytes } from 'node:crypto';
import type { Client } from '../../../base/client.ts';
import { ConflictError, ValidationError } from '../../../contract/errors.ts';
import { discard } from '../../../storage/temp-folder.ts';
import type { CallContext } from '../../../query/entry-request.ts';
import type { UploadContext } from '../context.ts';
import type { FileInfo } from '../file-info.ts';
import { beforeChange } from '../file-hooks.ts';
import { lockFile, updateFile } from '../file-rows.ts';
import { changePlan, readFile, requireFolders, saveFile, storedNames, withBytes } from '../files-service.ts';
import type { FlatFile } from '../flat-file.ts';
import { releaseFiles } from '../pending-files.ts';
import { removeReleased } from '../remove-bytes.ts';
import { type Formats, isSameImage, type Made, nameOf, putCopies, versionsOf } from '../resize-files.ts';

interface Prepared {
  /** The file whose versions were made, as it was then. */
  readonly file: FlatFile;
  readonly info: FileInfo;
  readonly made: Made;
}

/** As many as the digits at the end of imported names. */
const RANDOM_BYTES = 5;

const NOTHING: Made = { formats: null, added: [] };

function meanwhile(): ConflictError {
  return new ConflictError('The file has been changed meanwhile: look at it again', 1);
}

/** Stores the versions that are cut, around another point. */
async function makeCuts(
  context: UploadContext,
  file: FlatFile,
  focalPoint: FileInfo['focalPoint'],
  client: Client | undefined,
): Promise<Made> {
  const { sharp, storage, sizes } = context;
  const cut = { ...context, sizes: sizes.filter(({ fit }) => fit === 'cover'), placeholderOf: undefined };
  if (!sharp || file['provider'] !== storage.provider || cut.sizes.length === 0) return NOTHING;
  const image = { ...file, focalPoint };
  const copies = (await versionsOf(cut, image, client))?.copies;
  if (!copies) return NOTHING;
  try {
    // Under names that nothing else has: caches keep what is at an address, and a change that fails removes what it has stored.
    const end = `_${randomBytes(RANDOM_BYTES).toString('hex')}`;
    return await putCopies(cut, image, copies, () => end);
  } finally {
    await discard(copies.map((copy) => copy.file.path));
  }
}

/** The formats of sizes that are not cut, which stay as they are. */
function uncut({ sizes }: UploadContext, formats: Formats | null): Formats {
  const cut = new Set(sizes.filter(({ fit }) => fit === 'cover').map(({ name }) => name));
  return Object.fromEntries(Object.entries(formats ?? {}).filter(([key]) => !cut.has(key.split('_')[0] ?? key)));
}

function writeCuts(context: UploadContext, { file, info, made }: Prepared, call: CallContext): Promise<FlatFile> {
  let gone: string[] = [];
  const stored = [{ storedNames: made.added }];
  const afterCommit = (): unknown => removeReleased(context, gone);
  return withBytes(context, stored, { call, afterCommit }, async (tx, run) => {
    await requireFolders(tx, context, [info], call);
    await lockFile(tx, context, file.id);
    const now = await readFile(tx, context, call, file.id);
    if (!isSameImage(now, file)) throw meanwhile();
    const former = now['formats'] as Formats | null;
    const formats = made.formats ? { ...uncut(context, former), ...made.formats } : former;
    const stays = new Set(Object.values(formats ?? {}).map(nameOf));
    gone = Object.values(former ?? {})
      .map(nameOf)
      .filter((name) => !stays.has(name) && storedNames(context, now).includes(name));
    const hooks = run.hooks('afterUpdate');
    const row = updateFile(tx.dialect, context, file.id, { ...info, formats });
    return changePlan(context, row, { call, further: releaseFiles(context.storage.provider, gone), hooks });
  });
}

/**
 * Changes the info of an image with its focal point. Throws NotFoundError, ValidationError for other files, ConflictError if the file
 * changes meanwhile, and ClientGoneError.
 */
export function changeFocalPoint(
  context: UploadContext,
  id: number,
  { sent, call, client }: { readonly sent: FileInfo; readonly call: CallContext; readonly client: Client | undefined },
): Promise<FlatFile> {
  return saveFile<Prepared>(context, id, call, {
    async prepare() {
      const info = await beforeChange(context, call, { id, info: sent });
      const file = await readFile(context.database, context, call, id);
      if (file['width'] === null) {
        const message = 'focalPoint can only be that of an image';
        throw new ValidationError([{ path: ['fileInfo', 'focalPoint'], message }]);
      }
      const isSame = isSameImage({ ...file, focalPoint: info.focalPoint }, file);
      return { file, info, made: isSame ? NOTHING : await makeCuts(context, file, info.focalPoint, client) };
    },
    write: (prepared) => writeCuts(context, prepared, call),
  });
}
