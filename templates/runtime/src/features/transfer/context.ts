/** The dependencies of exports and imports. */
import type { ContentTypes } from '../../contract/content-type.ts';
import type { Database } from '../../database/database.ts';
import type { SchemaRoles } from '../../access/role-rows.ts';
import type { Storage } from '../../storage/storage.ts';
import type { AccountSettings, Progress } from '../../contract/content-transfer.ts';

export interface TransferContext {
  readonly database: Database;
  /** The name of the project. */
  readonly name: string;
  readonly contentTypes: ContentTypes;
  /** The roles of the schema. */
  readonly schema: SchemaRoles;
  readonly accounts: AccountSettings;
  /** The folder `migrations/`. */
  readonly migrations: string;
  /** Undefined if the schema has no media. */
  readonly storage: Storage | undefined;
  readonly progress: Progress;
  /** Aborts the transfer and undoes it completely. */
  readonly signal: AbortSignal;
}

/** What was exported or imported. */
export interface TransferTotals {
  readonly rows: number;
  readonly tables: number;
  readonly files: number;
  /** Total size of the files. */
  readonly bytes: number;
  /**
   * Hash of the uncompressed export, in hex. The same for an export, its import, and an export of the imported data.
   */
  readonly sha256: string;
}
