/** What an export and an import share. */
import type { ContentTypes } from '../../contract/content-type.ts';
import type { Database } from '../../database/database.ts';
import type { RolePermissions } from '../../access/role-rows.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Progress } from './progress.ts';

export interface TransferContext {
  readonly database: Database;
  /** The project's. */
  readonly name: string;
  readonly contentTypes: ContentTypes;
  readonly roles: RolePermissions;
  /** The folder `migrations/`. */
  readonly migrations: string;
  /** Undefined if nothing in the schema refers to files. */
  readonly storage: Storage | undefined;
  readonly progress: Progress;
  /** Ends the work: nothing of it is kept. */
  readonly signal: AbortSignal;
}

/** What was moved. */
export interface Moved {
  readonly rows: number;
  readonly tables: number;
  readonly files: number;
  /** Of the files. */
  readonly bytes: number;
  /** Of the file's text before compression, in hex: an export, its import and an export of that say the same. */
  readonly sha256: string;
}
