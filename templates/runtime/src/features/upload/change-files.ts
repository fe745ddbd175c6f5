/** Changes the infos of several files in one transaction, each through its door. */
import { type Issue, NotFoundError, ValidationError } from '../../contract/errors.ts';
import { FILE_CHANGES } from '../../contract/limits.ts';
import type { InTransaction } from '../../http/feature.ts';
import type { CallContext } from '../../query/entry-request.ts';
import type { UploadContext } from './context.ts';
import { fileId } from './file-id.ts';
import { checkInfo, checkTags, type FileInfo } from './file-info.ts';
import { changeInfo, requireFile } from './files-service.ts';
import type { TagChange } from './tags/tag-access.ts';
import type { FlatFile } from './flat-file.ts';

interface FileChange {
  readonly id: number;
  readonly info: FileInfo;
  readonly tags: TagChange | undefined;
}

function refuse(message: string, path: Issue['path'] = ['files']): never {
  throw new ValidationError([{ path, message }]);
}

/** What a check of one file returns. What it throws gets the path of that file in the body. */
function atFile<T>(index: number, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const issues = error.issues.map(({ path, message }) => ({
      path: ['files', String(index), ...(path[0] === 'fileInfo' ? path.slice(1) : path)],
      message: message.replace(/^fileInfo\./u, ''),
    }));
    throw new ValidationError(issues);
  }
}

/** The tags that are added and removed, and the rest of what is given. */
function tagChangeIn(
  context: UploadContext,
  given: Readonly<Record<string, unknown>>,
  index: number,
): { readonly tags: TagChange | undefined; readonly rest: Readonly<Record<string, unknown>> } {
  const { addTags, removeTags, ...rest } = given;
  const isChange = addTags !== undefined || removeTags !== undefined;
  if (!context.tags || !isChange) return { tags: undefined, rest: given };
  if ('tags' in given) return refuse('tags can be set, or added and removed', ['files', String(index), 'tags']);
  const tags = atFile(index, () => ({
    add: checkTags(addTags ?? [], 'addTags'),
    remove: checkTags(removeTags ?? [], 'removeTags'),
  }));
  return { tags, rest };
}

async function readChange(context: UploadContext, given: unknown, index: number): Promise<FileChange> {
  const at = ['files', String(index)];
  if (typeof given !== 'object' || given === null) return refuse('must be a file with its id', at);
  const { tags, rest } = tagChangeIn(context, given as Readonly<Record<string, unknown>>, index);
  const { id, ...info } = rest;
  if (typeof id !== 'number' && typeof id !== 'string') return refuse('id must be that of a file', [...at, 'id']);
  return { id: await fileId(context, String(id)), info: atFile(index, () => checkInfo(info, context)), tags };
}

/** The changes that a body lists. Throws ValidationError, and NotFoundError for what is no id. */
async function readChanges(context: UploadContext, body: object): Promise<readonly FileChange[]> {
  const files = 'files' in body ? body.files : undefined;
  if (!Array.isArray(files) || files.length === 0) return refuse('files must be a list of files');
  if (files.length > FILE_CHANGES) return refuse(`files must be at most ${FILE_CHANGES}`);
  const changes: FileChange[] = [];
  for (const [index, given] of files.entries()) changes.push(await readChange(context, given, index));
  if (new Set(changes.map(({ id }) => id)).size < changes.length) return refuse('files must differ');
  // In the same order for everyone, so that two requests don't wait for each other.
  return changes.toSorted((a, b) => a.id - b.id);
}

/** Resolves to the changed files, by id. Throws NotFoundError for files that are not there, as far as the caller may know. */
export async function changeFiles(
  context: UploadContext,
  inTransaction: InTransaction,
  body: object,
  call: CallContext,
): Promise<readonly FlatFile[]> {
  const changes = await readChanges(context, body);
  if (changes.some(({ id }) => id === 0)) throw new NotFoundError();
  return inTransaction(async ({ database, hooked }) => {
    const inside = { ...context, database, hooked: hooked(context.fileType), hookedOf: hooked };
    const changed: FlatFile[] = [];
    for (const { id, info, tags } of changes) {
      // Before anything is told of its tags.
      if (tags) await requireFile(inside, id, call);
      const after = tags && { tags: await inside.tags?.changed(database, id, tags) };
      changed.push(await changeInfo(inside, id, { ...info, ...after }, call));
    }
    return changed;
  });
}
