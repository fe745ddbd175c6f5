/** Changes the focal point and the crop of an image, and its versions with them. Loaded only if images have one of these. */
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
import { type Formats, hasSameCrop, isSameImage, type Made, nameOf, putCopies, versionsOf } from '../resize-files.ts';

interface Remade extends Made {
  /** Whether a former format stays, by its key. */
  isKept(key: string): boolean;
  /** Undefined if it stays. */
  readonly placeholder?: string | null;
}

interface Prepared {
  /** The file whose versions were made, as it was then. */
  readonly file: FlatFile;
  readonly info: FileInfo;
  readonly made: Remade;
}

/** As many as the digits at the end of imported names. */
const RANDOM_BYTES = 5;

const NOTHING: Remade = { formats: null, added: [], isKept: () => true };

function meanwhile(): ConflictError {
  return new ConflictError('The file has been changed meanwhile: look at it again', 1);
}

/** The versions that a view makes anew: those of a crop are all, those of a focal point the ones that are cut. */
function remadeBy(context: UploadContext, { isCropped }: { readonly isCropped: boolean }): UploadContext {
  if (isCropped) return context;
  return { ...context, sizes: context.sizes.filter(({ fit }) => fit === 'cover'), placeholderOf: undefined };
}

/** Stores the versions of an image with another view. */
async function makeCuts(
  context: UploadContext,
  { image, isCropped }: { readonly image: FlatFile; readonly isCropped: boolean },
  client: Client | undefined,
): Promise<Remade> {
  const { storage } = context;
  const remade = remadeBy(context, { isCropped });
  if (!context.sharp || image['provider'] !== storage.provider || remade.sizes.length === 0) return NOTHING;
  const versions = await versionsOf(remade, image, client);
  if (!versions) return NOTHING;
  const { copies, placeholder } = versions;
  try {
    // Under names that nothing else has: caches keep what is at an address, and a change that fails removes what it has stored.
    const end = `_${randomBytes(RANDOM_BYTES).toString('hex')}`;
    const made = await putCopies(remade, image, copies, () => end);
    const sizes = new Set(remade.sizes.map(({ name }) => name));
    const isKept = (key: string): boolean => !isCropped && !sizes.has(key.split('_')[0] ?? key);
    return { ...made, isKept, ...(remade.placeholderOf && { placeholder }) };
  } finally {
    await discard(copies.map((copy) => copy.file.path));
  }
}

/** The formats of a file after a change; null if there are none. */
function formatsAfter(former: Formats | null, { formats, isKept }: Remade): Formats | null {
  const kept = Object.entries(former ?? {}).filter(([key]) => isKept(key));
  const all = { ...Object.fromEntries(kept), ...formats };
  return Object.keys(all).length > 0 ? all : null;
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
    const formats = formatsAfter(former, made);
    const stays = new Set(Object.values(formats ?? {}).map(nameOf));
    gone = Object.values(former ?? {})
      .map(nameOf)
      .filter((name) => !stays.has(name) && storedNames(context, now).includes(name));
    const hooks = run.hooks('afterUpdate');
    const { placeholder } = made;
    const values = { ...info, formats, ...(placeholder !== undefined && { placeholder }) };
    const row = updateFile(tx.dialect, context, file.id, values);
    return changePlan(context, row, { call, further: releaseFiles(context.storage.provider, gone), hooks });
  });
}

/**
 * Changes the info of an image with its focal point or its crop. Throws NotFoundError, ValidationError for other files, ConflictError if
 * the file changes meanwhile, and ClientGoneError.
 */
export function changeView(
  context: UploadContext,
  id: number,
  { sent, call, client }: { readonly sent: FileInfo; readonly call: CallContext; readonly client: Client | undefined },
): Promise<FlatFile> {
  return saveFile<Prepared>(context, id, call, {
    async prepare() {
      const info = await beforeChange(context, call, { id, info: sent });
      const file = await readFile(context.database, context, call, id);
      const { focalPoint, crop } = info;
      if (file['width'] === null) {
        const name = focalPoint === undefined ? 'crop' : 'focalPoint';
        throw new ValidationError([{ path: ['fileInfo', name], message: `${name} can only be that of an image` }]);
      }
      const image = { ...file, ...(focalPoint !== undefined && { focalPoint }), ...(crop !== undefined && { crop }) };
      if (isSameImage(image, file)) return { file, info, made: NOTHING };
      const isCropped = !hasSameCrop(image, file);
      return { file, info, made: await makeCuts(context, { image, isCropped }, client) };
    },
    write: (prepared) => writeCuts(context, prepared, call),
  });
}
