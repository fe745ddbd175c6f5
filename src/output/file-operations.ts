/**
 * The few operations with which output changes the disk. They are in one object, so that a test can interrupt the build
 * at any of them.
 */
import {
  chmodSync,
  closeSync,
  copyFileSync,
  fchmodSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { errorCode } from './io-error.ts';

/** Fixed modes, independent of the user's umask. */
const FILE_MODE = 0o644;
const FOLDER_MODE = 0o755;

export interface FileOperations {
  /** Creates a folder that does not exist, in a parent that does. */
  readonly makeFolder: (path: string) => void;
  /** Creates a file that does not exist. */
  readonly writeNew: (path: string, content: string) => void;
  /** Creates a hard link, or a copy on file systems without hard links. */
  readonly keepCopy: (from: string, to: string) => void;
  /** Moves a file, replacing an existing one. */
  readonly rename: (from: string, to: string) => void;
  readonly removeFile: (path: string) => void;
  /** Removes a folder if it is empty, and returns whether it did. */
  readonly removeEmptyFolder: (path: string) => boolean;
  /** Removes a folder and its contents. Links in it are removed, not followed. */
  readonly removeFolder: (path: string) => void;
}

/** The operations on the real disk. They throw system errors. */
export const fileOperations: FileOperations = {
  makeFolder(path) {
    mkdirSync(path, { mode: FOLDER_MODE });
    chmodSync(path, FOLDER_MODE);
  },
  writeNew(path, content) {
    const descriptor = openSync(path, 'wx', FILE_MODE);
    try {
      writeFileSync(descriptor, content);
      fchmodSync(descriptor, FILE_MODE);
    } finally {
      closeSync(descriptor);
    }
  },
  keepCopy(from, to) {
    try {
      linkSync(from, to);
    } catch {
      copyFileSync(from, to);
    }
  },
  rename: renameSync,
  removeFile: unlinkSync,
  removeEmptyFolder(path) {
    try {
      rmdirSync(path);
      return true;
    } catch (error) {
      if (['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return false;
      throw error;
    }
  },
  removeFolder(path) {
    rmSync(path, { recursive: true, force: true });
  },
};
