/** The hooks of files, as the team writes them. */
import type { Awaitable, CollectionHooks, HookEvent } from '../../entries/hook-types.ts';

/** What is said about a file, by who sends it or by a hook. */
export interface FileUpdate {
  name?: string;
  alternativeText?: string | null;
  caption?: string | null;
}

/** A file that has arrived, by its bytes: whatever its sender calls it. */
export interface FileCreate extends FileUpdate {
  name: string;
  readonly mime: string;
  /** With a dot: `.png` */
  readonly ext: string;
  /** In kilobytes. */
  readonly size: number;
  /** In pixels, of images. */
  readonly width: number | null;
  readonly height: number | null;
}

/**
 * Hooks of files, wherever they come from: `/api/upload`, or a form with an entry. Where such a request fails later on, its files
 * are deleted again, which only `afterDelete` and `committed` are told.
 */
export interface FileHooks<File, Entries = unknown> extends Omit<
  CollectionHooks<File, FileCreate, FileUpdate, Entries>,
  'beforeCreate' | 'beforeUpdate'
> {
  /** Before anything of the file is stored, or made of it. May return what is said about it. */
  beforeCreate?(event: HookEvent<Entries> & { readonly data: FileCreate }): Awaitable<FileUpdate | void>;
  /** The same for a file that is there. `data` is all of a new file where one takes its place. */
  beforeUpdate?(
    event: HookEvent<Entries> & { readonly id: number; readonly data: FileUpdate | FileCreate },
  ): Awaitable<FileUpdate | void>;
}
