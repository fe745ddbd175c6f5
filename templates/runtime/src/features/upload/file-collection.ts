/** Files as entries, for the project's own code. */
import { Readable } from 'node:stream';
import { open } from 'node:fs/promises';
import { type ErrorPath, NotFoundError, ValidationError } from '../../contract/errors.ts';
import { forEachOfMany } from '../../entries/create-many.ts';
import { sentValues } from '../../entries/entry-input.ts';
import { collectionReads, resolvedRow } from '../../entries/collection-reads.ts';
import { NO_HISTORY } from '../../entries/history/load-history.ts';
import type { CollectionService } from '../../entries/service.ts';
import type { EntryRequest } from '../../query/entry-request.ts';
import { discard } from '../../storage/temp-folder.ts';
import type { UploadContext } from './context.ts';
import { checkInfo, type FileInfo } from './file-info.ts';
import { changeInfo, createFiles, removeFile } from './files-service.ts';
import type { ArrivedFile } from './inspect-files.ts';

/** A file to be stored. */
interface NewFile {
  readonly name: string;
  /** Opens its bytes: a source may be the path of a file, of which only one is open at a time. */
  readonly open: () => Promise<Readable>;
  readonly info: FileInfo;
  /** The path of its source in the data. */
  readonly path: ErrorPath;
}

async function openFile(source: string, path: ErrorPath): Promise<Readable> {
  try {
    return (await open(source)).createReadStream();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ValidationError([{ path, message: `source can't be read: ${reason}` }]);
  }
}

function openerOf(source: unknown, path: ErrorPath): NewFile['open'] | undefined {
  if (typeof source === 'string') return () => openFile(source, path);
  if (source instanceof Uint8Array) return async () => Readable.from([source]);
  return source instanceof Readable ? async () => source : undefined;
}

/** What a file is created from: `source` has its bytes, `name` its name with the extension. Throws ValidationError. */
function newFileOf(context: UploadContext, data: unknown, at: ErrorPath = []): NewFile {
  const { source, name, ...info } = sentValues(data);
  if (typeof name !== 'string') throw new ValidationError([{ path: ['name'], message: 'name must be defined' }]);
  const path = [...at, 'source'];
  const opener = openerOf(source, path);
  if (opener) return { name, open: opener, info: checkInfo({ name, ...info }, context), path };
  throw new ValidationError([{ path: ['source'], message: 'source must be bytes, a stream or the path of a file' }]);
}

/** Stores files and creates their entries in one transaction, all or none. Resolves to their ids. */
async function store(
  context: UploadContext,
  all: readonly NewFile[],
  request: EntryRequest,
): Promise<readonly number[]> {
  const temps: string[] = [];
  try {
    const files: ArrivedFile[] = [];
    for (const { name, open: opened, path } of all) {
      const temp = await context.temp.write(await opened());
      temps.push(temp.path);
      files.push({ file: { field: 'files', filename: name, claimedType: '', temp }, path });
    }
    const infos = all.map(({ info }) => info);
    return (await createFiles(context, { files, infos, call: request })).map(({ id }) => id);
  } finally {
    await discard(temps);
  }
}

/** `isTransaction`: bytes can't be part of it. */
export function fileCollection(context: UploadContext, isTransaction: boolean): CollectionService {
  const reads = collectionReads(context.hooked);
  const outside = (): void => {
    if (isTransaction) throw new Error('files are stored and deleted outside of transactions, as their bytes are');
  };
  return {
    ...reads,
    async create(data, request) {
      outside();
      const [id = 0] = await store(context, [newFileOf(context, data)], request);
      return reads.findOne(id, request);
    },
    async createMany(all, request) {
      outside();
      const files = await forEachOfMany(all, async (data, index) => newFileOf(context, data, [String(index)]));
      return files.length === 0 ? [] : store(context, files, request);
    },
    async update(key, data, request) {
      await changeInfo(context, resolvedRow(key), checkInfo(sentValues(data), context), request);
      return reads.findOne(key, request);
    },
    async delete(key, request) {
      outside();
      const answer = await reads.findOne(key, request);
      await removeFile(context, resolvedRow(key), request);
      return answer;
    },
    act: () => Promise.reject(new NotFoundError()),
    createLocalization: () => Promise.reject(new NotFoundError()),
    history: NO_HISTORY,
  };
}
