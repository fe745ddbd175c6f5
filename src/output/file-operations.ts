/** The few operations by which output changes the disk. All go through one object, so that a test can end it at any of them. */
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

/** Modes are fixed: they don't depend on the umask of whoever builds. */
const FILE_MODE = 0o644;
const FOLDER_MODE = 0o755;

export interface FileOperations {
  /** Makes one folder; its parent exists, it does not. */
  readonly makeFolder: (path: string) => void;
  /** Writes a file that does not exist. */
  readonly writeNew: (path: string, content: string) => void;
  /** A second name for a file, or a copy where the file system has no such thing. */
  readonly keepCopy: (from: string, to: string) => void;
  /** Puts a file in the place of another, or of none. */
  readonly rename: (from: string, to: string) => void;
  readonly removeFile: (path: string) => void;
  /** Removes a folder if it is empty, and says whether it did. */
  readonly removeEmptyFolder: (path: string) => boolean;
  /** Removes a folder with all that is in it. Links in it are removed, not followed. */
  readonly removeFolder: (path: string) => void;
}

/** The operations on the real disk. They throw the errors of the system. */
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
