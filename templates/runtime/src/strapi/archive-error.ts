/** What is wrong with an archive: it is untrusted input, so each way of being wrong has a code and a message of its own. */

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

/** An archive that can't be read, or must not be. The message says what, where, and what to do. */
export class ArchiveError extends Error {
  readonly code: ArchiveErrorCode;

  constructor(code: ArchiveErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ArchiveError';
    this.code = code;
  }
}
