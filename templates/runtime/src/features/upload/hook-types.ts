/** The types of file hooks, which a project implements. */
import type { Readable } from 'node:stream';
import type { Entry } from '../../contract/entry.ts';
import type { CollectionEntries } from '../../entries/typed/entries.ts';
import type { Awaitable, CollectionHooks, HookEvent } from '../../entries/hook-types.ts';

/** The properties of a file that the sender or a hook may set. */
export interface FileUpdate {
  name?: string;
  alternativeText?: string | null;
  caption?: string | null;
}

/** A received file. Type and size are detected from its bytes, not taken from the client. */
export interface FileCreate extends FileUpdate {
  name: string;
  readonly mime: string;
  /** With a dot, such as `.png`. */
  readonly ext: string;
  /** In kilobytes. */
  readonly size: number;
  /** In pixels; null unless the file is an image. */
  readonly width: number | null;
  readonly height: number | null;
}

/**
 * Hooks of files, whether sent to `/api/upload` or in a form with an entry. If such a request fails later, its files are deleted again;
 * of the delete hooks, only `afterDelete` and `committed` are called then.
 */
export interface FileHooks<File, Entries = unknown> extends Omit<
  CollectionHooks<File, FileCreate, FileUpdate, Entries>,
  'beforeCreate' | 'beforeUpdate'
> {
  /** Called before the file is stored and its formats are generated. May return changed properties. */
  beforeCreate?(event: HookEvent<Entries> & { readonly data: FileCreate }): Awaitable<FileUpdate | void>;
  /** Called before an existing file is changed. If its bytes are replaced, `data` describes the new file completely. */
  beforeUpdate?(
    event: HookEvent<Entries> & { readonly id: number; readonly data: FileUpdate | FileCreate },
  ): Awaitable<FileUpdate | void>;
}

/** A file to store. */
export interface FileSource {
  /** With its extension. */
  name: string;
  /** Its bytes, a stream of them, or the path of a file on the server. */
  source: Uint8Array | Readable | string;
  alternativeText?: string | null;
  caption?: string | null;
}

/** Files as entries. They are stored and deleted outside of transactions. */
export type FileEntries<File extends Entry<object>> = CollectionEntries<File, FileSource, FileUpdate>;
