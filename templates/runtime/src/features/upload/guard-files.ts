/** Who may read the bytes of files that not everyone may find: by a signed address, or as a caller who may find the file. */
import { type Caller, may } from '../../contract/policy/caller.ts';
import { callContextOf } from '../../http/request.ts';
import { EMPTY_QUERY } from '../../query/entry-query.ts';
import { OWN_FLAT } from '../../query/format.ts';
import { queryOf } from '../../query/query-of.ts';
import type { FileUrls } from '../../query/file-urls.ts';
import type { UploadContext } from './context.ts';
import { hashesOf } from './stored-hashes.ts';
import type { ReadFile } from './serve-files.ts';

/** A file, or a resized copy. */
interface Named {
  readonly hash: string;
  readonly ext: string | null;
}

interface StoredFile extends Named {
  readonly id: number;
  readonly formats: Readonly<Record<string, Named>> | null;
}

/** The ids of files that have a stored name, or a resized copy with it. */
async function filesNamed({ reader, fileType, hooked }: UploadContext, name: string): Promise<readonly number[]> {
  const query = queryOf({
    filters: { hash: { $in: hashesOf(name) } },
    fields: ['hash', 'ext', 'formats'],
    pagination: { withCount: false },
  });
  const files = await reader.list(fileType, { caller: hooked.server, query, format: OWN_FLAT });
  const isNamed = ({ hash, ext }: Named): boolean => `${hash}${ext ?? ''}` === name;
  return (files.entries() as readonly StoredFile[])
    .filter(({ formats, ...file }) => [file, ...Object.values(formats ?? {})].some(isNamed))
    .map(({ id }) => id);
}

/** Whether the caller may find one of the files, in lists or by its id. */
async function mayFind({ reader, fileType }: UploadContext, caller: Caller, ids: readonly number[]): Promise<boolean> {
  const request = { caller, query: EMPTY_QUERY };
  if (may(caller, 'find', fileType.uid) && (await reader.matching(fileType, request, ids)).size > 0) return true;
  if (!may(caller, 'findOne', fileType.uid)) return false;
  for (const id of ids) if (await reader.one(fileType, request, id)) return true;
  return false;
}

/** Throws UnauthorizedError for invalid credentials without a valid signature. */
export function guardFiles(context: UploadContext, urls: FileUrls): ReadFile {
  return async (ctx, name) => {
    const left = urls.permits(name, ctx.querystring);
    if (left !== undefined) return `private, max-age=${left}`;
    const { caller } = callContextOf(ctx);
    const ids = await filesNamed(context, name);
    return ids.length > 0 && (await mayFind(context, caller, ids)) ? 'private, no-cache' : undefined;
  };
}
