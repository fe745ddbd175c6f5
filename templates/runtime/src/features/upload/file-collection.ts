/** Files as entries, for the project's own code. */
import { Readable } from 'node:stream';
import { createReadStream } from 'node:fs';
import { NotFoundError, ValidationError } from '../../contract/errors.ts';
import { sentValues } from '../../entries/entry-input.ts';
import { collectionReads, resolvedRow } from '../../entries/collection-reads.ts';
import type { CollectionService } from '../../entries/service.ts';
import type { EntryRequest } from '../../query/entry-request.ts';
import { discard } from '../../storage/temp-folder.ts';
import type { UploadContext } from './context.ts';
import { checkInfo } from './file-info.ts';
import { changeInfo, createFiles, removeFile } from './files-service.ts';

function bytesOf(source: unknown): Readable {
  if (typeof source === 'string') return createReadStream(source);
  if (source instanceof Uint8Array) return Readable.from([source]);
  if (source instanceof Readable) return source;
  throw new ValidationError([{ path: ['source'], message: 'source must be bytes, a stream or the path of a file' }]);
}

/** Stores a file: `source` has its bytes, `name` its name with the extension. */
async function store(context: UploadContext, data: unknown, request: EntryRequest): Promise<number> {
  const { source, name, ...info } = sentValues(data);
  if (typeof name !== 'string') throw new ValidationError([{ path: ['name'], message: 'name must be defined' }]);
  const temp = await context.temp.write(bytesOf(source));
  const file = { field: 'files', filename: name, claimedType: '', temp };
  try {
    const infos = [checkInfo({ name, ...info })];
    const [stored] = await createFiles(context, { files: [{ file, path: ['source'] }], infos, call: request });
    if (!stored) throw new Error('no file was stored');
    return stored.id;
  } finally {
    await discard([temp.path]);
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
      return reads.findOne(await store(context, data, request), request);
    },
    async createMany(all, request) {
      outside();
      const ids: number[] = [];
      for (const data of all) ids.push(await store(context, data, request));
      return ids;
    },
    async update(key, data, request) {
      await changeInfo(context, resolvedRow(key), checkInfo(sentValues(data)), request);
      return reads.findOne(key, request);
    },
    async delete(key, request) {
      outside();
      const answer = await reads.findOne(key, request);
      await removeFile(context, resolvedRow(key), request);
      return answer;
    },
    createLocalization: () => Promise.reject(new NotFoundError()),
  };
}
