/** Who may know of folders, and which one a file is put into. Loaded only if the schema has folders. */
import type { ContentType } from '../../../contract/content-type.ts';
import { ForbiddenError, ValidationError } from '../../../contract/errors.ts';
import type { Caller } from '../../../contract/policy/caller.ts';
import { FOLDER_ATTRIBUTE } from '../../../contract/upload-folders.ts';
import type { Executor } from '../../../database/executor.ts';
import { sql } from '../../../database/sql.ts';
import { type LaterSteps, statement } from '../../../database/write-plan.ts';
import type { HookedType } from '../../../entries/context.ts';
import { rulesHide } from '../../../entries/rules/action-rules.ts';
import { lockFolder } from './folder-rows.ts';

interface Files {
  readonly fileType: ContentType;
  /** That type, with the project's hooks. */
  readonly hooked: HookedType;
}

/** What the writes of files need of folders. */
export interface FolderAccess {
  /** Throws ForbiddenError for callers that see some files only: the names of folders would tell of others. */
  permit(caller: Caller): void;
  /** Throws ValidationError unless there is such a folder, and keeps it until the transaction ends. */
  require(tx: Executor, id: number): Promise<void>;
  /** Takes a file that comes back from the trash out of a folder that is gone. */
  comesBack(id: number): LaterSteps;
}

export function folderAccess({ hooked, fileType }: Files): FolderAccess {
  return {
    permit(caller) {
      if (!rulesHide(hooked, caller)) return;
      const message = 'Folders are for those who may find all files';
      throw new ForbiddenError({ message, reason: `a rule says which files ${caller.role} may find` });
    },
    async require(tx, id) {
      if (await lockFolder(tx, id)) return;
      throw new ValidationError([
        { path: ['fileInfo', 'folder'], message: 'folder must be the id of a folder, or null' },
      ]);
    },
    comesBack: (id) => async (tx) => {
      const [files, column] = [tx.dialect.id(fileType.table), tx.dialect.id(FOLDER_ATTRIBUTE)];
      const row = await tx.get(sql`SELECT ${column} AS folder FROM ${files} WHERE id = ${id}`);
      const folder = row?.['folder'] ?? null;
      if (folder === null || (await lockFolder(tx, Number(folder)))) return [];
      return [statement(sql`UPDATE ${files} SET ${column} = NULL WHERE id = ${id}`)];
    },
  };
}
