/** The rows of folders. */
import { type Folder, FOLDERS_TABLE } from '../../../contract/upload-folders.ts';
import type { Executor } from '../../../database/executor.ts';
import { raw, sql } from '../../../database/sql.ts';
import type { FolderTree } from './folder-tree.ts';

export const table = raw(FOLDERS_TABLE);

/** All folders, by name. */
export async function readTree(executor: Pick<Executor, 'all'>): Promise<FolderTree> {
  const rows = await executor.all(sql`SELECT id, parent_id, name FROM ${table} ORDER BY name, id`);
  return new Map(
    rows.map((row) => {
      const parent = row['parent_id'] === null ? null : Number(row['parent_id']);
      const folder: Folder = { id: Number(row['id']), name: String(row['name']), parent };
      return [folder.id, folder];
    }),
  );
}

/** Locks all folders, so that nobody else changes the tree until the transaction ends, and reads them. */
export async function lockTree(tx: Executor): Promise<FolderTree> {
  await tx.all(sql`SELECT id FROM ${table} ORDER BY id${tx.dialect.rowLock}`);
  // Read anew: those that were added while this waited for its locks.
  return readTree(tx);
}

/** Whether there is such a folder, which is then kept from being deleted until the transaction ends. */
export async function lockFolder(tx: Executor, id: number): Promise<boolean> {
  return (await tx.get(sql`SELECT id FROM ${table} WHERE id = ${id}${tx.dialect.rowLock}`)) !== undefined;
}
