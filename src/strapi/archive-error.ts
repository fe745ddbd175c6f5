/** Errors in archives. Archives are untrusted input, so each kind of error has its own code and message. */

export type ArchiveErrorCode =
  | 'missing-file'
  | 'not-an-archive'
  | 'missing-key'
  | 'wrong-key'
  | 'truncated'
  | 'damaged'
  | 'unsafe-name'
  | 'unsafe-entry'
  | 'double-entry'
  | 'too-many-entries'
  | 'too-large'
  | 'too-compressed'
  | 'long-line'
  | 'not-json'
  | 'not-utf8'
  | 'too-deep'
  | 'wrong-record'
  | 'missing-metadata'
  | 'wrong-version'
  | 'missing-schemas';

/** An archive can't be read, or is not safe to read. The message says what is wrong, where, and what to do. */
export class ArchiveError extends Error {
  readonly code: ArchiveErrorCode;

  constructor(code: ArchiveErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ArchiveError';
    this.code = code;
  }
}
