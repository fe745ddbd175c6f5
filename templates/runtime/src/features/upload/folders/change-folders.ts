/** Creates, renames, moves and deletes folders. Only empty ones are deleted: what is in them is for people to decide about. */
import { ConflictError, type Issue, NotFoundError, ValidationError } from '../../../contract/errors.ts';
import { type Folder, FOLDER_ATTRIBUTE, FOLDER_LIMITS, FOLDERS_TABLE } from '../../../contract/upload-folders.ts';
import { UniqueViolation } from '../../../database/database.ts';
import { NewId } from '../../../database/new-id.ts';
import { deleteRows, sql } from '../../../database/sql.ts';
import { statement } from '../../../database/write-plan.ts';
import { insertInto } from '../../../write/columns.ts';
import type { UploadContext } from '../context.ts';
import { lockTree, table } from './folder-rows.ts';
import { depthOf, type FolderTree, heightOf, siblingKey, withDescendants } from './folder-tree.ts';
import type { FolderInput } from './folder-input.ts';

function refusal(path: 'name' | 'parent', message: string): Issue {
  return { path: [path], message };
}

/** Why a folder, new or with other values, can't be so. */
function issuesOf(tree: FolderTree, { id, name, parent }: Omit<Folder, 'id'> & { readonly id?: number }): Issue[] {
  if (parent !== null && !tree.has(parent)) return [refusal('parent', 'parent must be the id of a folder')];
  if (parent !== null && id !== undefined && withDescendants(tree, id).has(parent)) {
    return [refusal('parent', 'a folder can be moved neither into itself nor into a folder below it')];
  }
  const height = id === undefined ? 1 : heightOf(tree, id);
  if (depthOf(tree, parent) + height > FOLDER_LIMITS.depth) {
    return [refusal('parent', `folders can be nested at most ${FOLDER_LIMITS.depth} levels deep`)];
  }
  const key = siblingKey({ name, parent });
  const isTaken = [...tree.values()].some((other) => other.id !== id && siblingKey(other) === key);
  return isTaken ? [nameTaken()] : [];
}

function nameTaken(): Issue {
  return refusal('name', 'name must be one that no other folder there has');
}

/** Only the first folder of all is not kept apart from others by locks. */
async function explainTaken<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof UniqueViolation ? new ValidationError([nameTaken()]) : error;
  }
}

export function createFolder({ database }: UploadContext, { name, parent = null }: FolderInput): Promise<Folder> {
  return explainTaken(
    database.write(async (tx) => {
      const tree = await lockTree(tx);
      const given = { name: name ?? '', parent };
      const issues = issuesOf(tree, given);
      if (tree.size >= FOLDER_LIMITS.folders) {
        const message = `there can be at most ${FOLDER_LIMITS.folders} folders: delete some that are empty`;
        issues.push(refusal('name', message));
      }
      if (issues.length > 0) throw new ValidationError(issues);
      const id = new NewId(FOLDERS_TABLE);
      const columns = new Map<string, string | number | null>([
        ['name', given.name],
        ['parent_id', parent],
        ['sibling_key', siblingKey(given)],
      ]);
      const row = insertInto(tx.dialect, FOLDERS_TABLE, columns, { generatedId: id, returnsId: true });
      return { subjects: [], steps: [row], answer: () => ({ id: id.value, ...given }) };
    }),
  );
}

/** Renames a folder, or moves it with all that is in it. Throws NotFoundError. */
export function changeFolder({ database }: UploadContext, id: number, input: FolderInput): Promise<Folder> {
  return explainTaken(
    database.write(async (tx) => {
      const tree = await lockTree(tx);
      const former = tree.get(id);
      if (!former) throw new NotFoundError();
      const { name = former.name, parent = former.parent } = input;
      const changed: Folder = { id, name, parent };
      const issues = issuesOf(tree, changed);
      if (issues.length > 0) throw new ValidationError(issues);
      const set = sql`name = ${name}, parent_id = ${parent}, sibling_key = ${siblingKey(changed)}`;
      const row = statement(sql`UPDATE ${table} SET ${set} WHERE id = ${id}`);
      return { subjects: [], steps: [row], answer: () => changed };
    }),
  );
}

/** Throws NotFoundError, and ConflictError unless the folder is empty. */
export function deleteFolder({ database, fileType }: UploadContext, id: number): Promise<void> {
  return database.write(async (tx) => {
    const tree = await lockTree(tx);
    if (!tree.has(id)) throw new NotFoundError();
    const [files, column] = [tx.dialect.id(fileType.table), tx.dialect.id(FOLDER_ATTRIBUTE)];
    const file = await tx.get(sql`SELECT id FROM ${files} WHERE ${column} = ${id} LIMIT 1`);
    if (file || [...tree.values()].some(({ parent }) => parent === id)) {
      throw new ConflictError('The folder is not empty: move or delete what is in it first');
    }
    return { subjects: [], steps: [statement(deleteRows(table, sql`id = ${id}`))], answer: () => undefined };
  });
}
