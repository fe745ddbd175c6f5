/** Where the bytes of files are kept: one interface, with a driver for local disks and one for S3. */
import type { Readable } from 'node:stream';
import type { Client } from '../base/client.ts';
import type { TempFile } from './temp-folder.ts';

/** Part of a file, in bytes; `end` is inclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** An open file. Exactly one of `read` and `close` must be called, once. */
export interface OpenFile {
  /** In bytes. */
  readonly size: number;
  read(range: ByteRange | undefined): Promise<Readable>;
  close(): Promise<void>;
}

/** A file in the listing of a storage. */
export interface ListedFile {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** When it was stored (never too early), in milliseconds since 1970. */
  readonly storedAt: number;
}

/**
 * Files by their stored names (`isStoredName`): 32 random hexadecimal digits and an extension, with a prefix such as `thumbnail_` for
 * resized images; or names that were imported with their files.
 */
export interface Storage {
  /** The value of `provider` in the entries of its files. */
  readonly provider: 'local' | 's3';
  /** The URL from which clients load a file: a path on this server, or an absolute URL. */
  urlOf(name: string): string;
  /** Stores a file under a new name, atomically. May move the temporary file away. */
  put(name: string, file: Pick<TempFile, 'path' | 'size' | 'sha256'>): Promise<void>;
  /** Removes a file. Idempotent: a missing file is not an error. */
  remove(name: string): Promise<void>;
  /**
   * Undefined if there is no such file. The caller must use `read` or `close`. `client`: who the file is for; if it disconnects,
   * nothing more is requested from a bucket, and ClientGoneError is thrown.
   */
  open(name: string, client?: Client): Promise<OpenFile | undefined>;
  /** All files with stored names, in any order. Files that are stored or removed meanwhile may or may not be listed. */
  list(): AsyncIterable<ListedFile>;
}

const STORED_NAME = /^(?:[a-z][a-z0-9]{0,19}_)?[0-9a-f]{32}\.[a-z0-9]{1,10}$/u;
/** Strapi's names: a name, ten hexadecimal digits, and an extension. Imported files keep them, so that their URLs stay valid. */
const IMPORTED_NAME = /^[A-Za-z0-9][\w-]{0,200}_[0-9a-f]{10}(?:\.[A-Za-z0-9]{1,10})?$/u;

/** Whether a name is a generated or imported one. Files with other names are never opened. */
export function isStoredName(name: string): boolean {
  return STORED_NAME.test(name) || IMPORTED_NAME.test(name);
}

/** The path prefix under which the server serves stored files. */
export const SERVED_AT = '/uploads/';
