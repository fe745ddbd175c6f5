/**
 * All content of a project as rows of cells, and what a project offers to tools beside it, such as `content-gen data import-strapi`:
 * they run with the project's own runtime, through its entry `@content-gen/runtime/tools`.
 */
import type { ColumnType } from './attribute-types/column-type.ts';
import type { ContentTypes } from './content-type.ts';
import type { Rules } from './policy/rule.ts';

/**
 * One value of a row in its canonical form, the same for every engine. Text, dates (`YYYY-MM-DD`), times (`HH:mm:ss.SSS`), instants (ISO
 * 8601 UTC with milliseconds), decimals and big integers are strings; ids, positions, integers and floating-point numbers are numbers;
 * booleans are booleans. JSON values are the stored text: they round-trip byte for byte, and a JSON null differs from an SQL NULL.
 */
export type Cell = string | number | boolean | null;

/** The type of a column. `key` stands for ids and list positions, which are safe integers. */
export type CellType = ColumnType | 'key';

export interface TransferColumn {
  readonly name: string;
  readonly type: CellType;
  /** The table whose `id` a foreign key references. */
  readonly references?: string;
  /** Every row refers to one. */
  readonly required?: true;
}

export interface TransferTable {
  readonly name: string;
  /** The primary key: a generated `id`, or a pair of columns. */
  readonly key: readonly string[];
  readonly columns: readonly TransferColumn[];
  /** Whether its rows are entries, in one of the states. */
  readonly entries?: true;
}

/** Rows of a table, with some or all of their columns. */
export interface Section {
  readonly table: string;
  readonly key: readonly string[];
  /** Including the columns of the key. */
  readonly columns: readonly TransferColumn[];
  /** Whether the section updates columns of existing rows. Rows in which all of these columns are NULL are omitted. */
  readonly fills: boolean;
}

/** A table and the largest id ever generated for it; undefined if its ids are not generated. */
export interface LastId {
  readonly section: Pick<Section, 'table'>;
  readonly lastId?: number;
}

/** Reads a consistent state of the content. */
export interface ContentReader {
  /** By name. */
  readonly tables: ReadonlyMap<string, TransferTable>;
  /** Yields pages of rows in key order, as lines: each the JSON of its cells. */
  read(section: Section): AsyncIterable<readonly string[]>;
}

export interface SectionWriter {
  /** Buffers a row of valid cells; `length` is the length of its line. Resolves to whether the buffer was flushed. */
  add(cells: readonly Cell[], length: number): Promise<boolean>;
  /** Flushes the buffer. */
  finish(): Promise<boolean>;
}

/** Fills an empty database within one transaction. */
export interface ContentWriter extends ContentReader {
  write(section: Section): SectionWriter;
  /**
   * Stores a file, which is removed again if the transaction fails. Throws CommandRefused if a different file has its name. Undefined in a dry
   * run, and if the schema has no media.
   */
  readonly storeFile: ((name: string, bytes: AsyncIterable<Uint8Array>) => Promise<void>) | undefined;
}

/** The files of a project. */
export interface ContentFiles {
  /** The value of `provider` in the entries of files. */
  readonly provider: string;
  /** Whether a file may have this name. */
  isStoredName(name: string): boolean;
  urlOf(name: string): string;
  /** Undefined if there is no such file. If it is not read, `close` must be called. `size` is in bytes. */
  open(
    name: string,
  ): Promise<{ readonly size: number; read(): Promise<AsyncIterable<Uint8Array>>; close(): Promise<void> } | undefined>;
}

/** Progress of a long-running command. */
export interface Progress {
  /** `done` of `total` are done; undefined if the total is unknown. */
  report(what: string, done: number, total?: number): void;
  /** Erases the line. */
  clear(): void;
}

/** Settings of a server that others store in their database. */
export interface AccountSettings {
  /** Whether anyone may register. */
  readonly registration: boolean;
  /** Whether new users must confirm their email address before they can sign in. */
  readonly emailConfirmation: boolean;
}

/** A project whose database is open, and has all migrations. */
export interface ProjectContent {
  readonly contentTypes: ContentTypes;
  /** Role → permissions, as in the schema. */
  readonly roles: Readonly<Record<string, readonly string[]>>;
  /** Role → the rules of its permissions; undefined if the schema has none. */
  readonly rules?: Readonly<Record<string, Rules>> | undefined;
  readonly accounts: AccountSettings;
  /** Undefined if the schema has no media. */
  readonly files: ContentFiles | undefined;
  readonly progress: Progress;
  /** Aborts the work and undoes it completely. */
  readonly signal: AbortSignal;
  /** Runs `work` on a consistent snapshot. */
  snapshot<T>(work: (reader: ContentReader) => Promise<T>): Promise<T>;
  /**
   * Runs `work` in one transaction on a database that has no content, whose roles are removed before. A dry run is rolled back. Throws
   * CommandRefused if there is content. After any error nothing has changed, except for the error about id sequences.
   */
  fill<T>(
    work: (writer: ContentWriter) => Promise<{ readonly result: T; readonly lastIds: readonly LastId[] }>,
    options: { readonly isDryRun: boolean },
  ): Promise<T>;
}

/** What a project's `src/generated/app.ts` exports as `definition`, as far as tools need it. */
export interface ProjectDefinition {
  readonly name: string;
  readonly contentTypes: ContentTypes;
  readonly roles: ProjectContent['roles'];
  readonly rules?: Readonly<Record<string, Rules>>;
  readonly migrations: URL;
}

/** The export `projectTools` of `@content-gen/runtime/tools`. Refusals are errors with the name `CommandRefused`. */
export interface ProjectTools {
  /** Shows progress, usually on stderr. */
  createProgress(output: { readonly isTTY?: boolean; write(text: string): unknown }): Progress;
  /**
   * Opens the database and the storage with settings from the environment, and closes them after `work`. Applies pending migrations if
   * `mayMigrate` and MIGRATE_ON_START permit it; otherwise throws if there are any.
   */
  withContent<T>(
    definition: ProjectDefinition,
    options: { readonly mayMigrate: boolean; readonly progress: Progress; readonly signal: AbortSignal },
    work: (content: ProjectContent) => Promise<T>,
  ): Promise<T>;
  /** Calls `work` with an empty folder that only its owner can read, and which is removed afterwards. */
  withScratchFolder<T>(work: (folder: string) => Promise<T>): Promise<T>;
  /** Calls `write` with the path of a temporary file, which is then renamed to `path`. Throws CommandRefused if that exists. */
  writeNewFile<T>(path: string, write: (temporary: string) => Promise<T>): Promise<T>;
}
