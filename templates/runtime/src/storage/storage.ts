/** Where the bytes of files are kept. One interface, one driver for each kind of place. */
import type { Readable } from 'node:stream';
import type { TempFile } from './temp-folder.ts';

/** Part of a file: both ends are in it. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A stored file that is about to be served. Either `read` or `close` has to be called, once. */
export interface OpenFile {
  /** In bytes. */
  readonly size: number;
  read(range: ByteRange | undefined): Promise<Readable>;
  close(): Promise<void>;
}

/** A file that a storage lists. */
export interface ListedFile {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** When it was stored, or later; in milliseconds since 1970. */
  readonly storedAt: number;
}

/** Names are ours (`isStoredName`): 32 hexadecimal digits and an extension. */
export interface Storage {
  /** What the entries of its files say in `provider`. */
  readonly provider: 'local' | 's3';
  /** The address at which clients get a file: a path of this server, or a whole URL. */
  urlOf(name: string): string;
  /** Stores a file under a new name, whole or not at all. May move it away from its temporary place. */
  put(name: string, file: Pick<TempFile, 'path' | 'size' | 'sha256'>): Promise<void>;
  /** Removes a file; one that does not exist is no error. */
  remove(name: string): Promise<void>;
  /** Undefined if there is no such file. */
  open(name: string): Promise<OpenFile | undefined>;
  /** All files whose names are ours, in any order. What is stored or removed meanwhile may be missing. */
  list(): AsyncIterable<ListedFile>;
}

const STORED_NAME = /^(?:[a-z]{1,12}_)?[0-9a-f]{32}\.[a-z0-9]{1,10}$/u;

/** Whether a name is one that we give: nothing else is ever opened. */
export function isStoredName(name: string): boolean {
  return STORED_NAME.test(name);
}

/** The path below which a server serves the files of its own storage. */
export const SERVED_AT = '/uploads/';
