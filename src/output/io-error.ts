/**
 * Conditions that stop a build without being defects: disk errors, and changes that others make to the project
 * meanwhile.
 */
import type { Diagnostic } from '../diagnostics/diagnostic.ts';

const WORDS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission denied'],
  ['EPERM', 'operation not permitted'],
  ['EROFS', 'the file system is read-only'],
  ['ENOSPC', 'no space left on the device'],
  ['EDQUOT', 'disk quota exceeded'],
  ['EMFILE', 'too many open files'],
  ['ENFILE', 'too many open files in the system'],
  ['ENAMETOOLONG', 'the path is too long'],
  ['ENOTDIR', 'part of the path is not a folder'],
  ['EISDIR', 'it is a folder'],
  ['ELOOP', 'it is a symbolic link'],
  ['EXDEV', 'it is on another file system than the project'],
  ['EBUSY', 'it is in use'],
  ['ETXTBSY', 'it is in use'],
  ['ENOENT', 'it does not exist'],
  ['EEXIST', 'it already exists'],
  ['EIO', 'input/output error'],
]);

/** Thrown when a build can't continue, but not because of a defect; its diagnostic is reported. */
export class Refusal extends Error {
  readonly diagnostic: Diagnostic;
  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message);
    this.diagnostic = diagnostic;
  }
}

/** The code of a failed system call, such as `ENOSPC`. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** The diagnostic for a refusal or a failed system call; `undefined` for any other error, which is a defect. */
export function ioDiagnostic(error: unknown): Diagnostic | undefined {
  if (error instanceof Refusal) return error.diagnostic;
  const code = errorCode(error);
  if (code === undefined || !(error instanceof Error)) return undefined;
  const path = 'path' in error && typeof error.path === 'string' ? error.path : undefined;
  const words = WORDS.get(code) ?? error.message;
  return {
    code: 'output/io',
    severity: 'error',
    kind: 'refused',
    message: path === undefined ? `file system error: ${words} (${code})` : `${path}: ${words} (${code})`,
    hint: 'fix this and build again; an incomplete build leaves the project unchanged',
  };
}
