/** Allows one build per project at a time, using a lock file with the id of the building process. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readFileBytes } from './disk.ts';
import type { FileOperations } from './file-operations.ts';
import { errorCode, Refusal } from './io-error.ts';
import { LOCK_FILE, STALE_LOCK_FILE } from './project-path.ts';

const WAIT_MS = 50;

/** Locks held by this process. A stale lock may contain our own process id, as in containers, but is not in this set. */
const held = new Set<string>();

export interface LockOptions {
  readonly operations: FileOperations;
  /** Called once, if another build has to be waited for. */
  readonly onWait: (processId: number) => void;
  /** Number of retries before the build refuses. 200 is about ten seconds. */
  readonly tries?: number;
}

/**
 * Takes the lock of a project and returns a function that releases it. Waits for a running build; takes over the lock
 * of a killed one. Throws a `Refusal` if the other build does not finish, or if the lock is not a regular file.
 */
export async function acquireLock(root: string, { operations, onWait, tries = 200 }: LockOptions): Promise<() => void> {
  const path = join(root, LOCK_FILE);
  refuseObstacle(root, STALE_LOCK_FILE);
  for (let left = tries, told = false; ; left--) {
    if (tryToCreate(path, operations)) break;
    refuseObstacle(root, LOCK_FILE);
    const owner = held.has(path) ? process.pid : readOwner(path);
    if (owner === 'gone') continue;
    // A lock without a process id was truncated, or is just being written: retry before deciding.
    if (owner === undefined ? left <= 0 : !isAlive(owner, path)) {
      removeStale(root, owner, operations);
      continue;
    }
    if (left <= 0) throw new Refusal(lockedDiagnostic(owner));
    if (!told && owner !== undefined) onWait(owner);
    told ||= owner !== undefined;
    await sleep(WAIT_MS);
  }
  held.add(path);
  if (readOwner(join(root, STALE_LOCK_FILE)) !== 'gone') operations.removeFile(join(root, STALE_LOCK_FILE));
  return () => {
    if (held.delete(path) && readOwner(path) === process.pid) operations.removeFile(path);
  };
}

function tryToCreate(path: string, operations: FileOperations): boolean {
  try {
    operations.writeNew(path, `${process.pid}\n`);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Refuses a pipe, link or folder in place of a lock: no build created it, and waiting for it would never end. */
function refuseObstacle(root: string, name: string): void {
  const stats = lstatSync(join(root, name), { throwIfNoEntry: false });
  if (!stats || stats.isFile()) return;
  throw new Refusal({
    code: 'output/obstacle',
    severity: 'error',
    kind: 'refused',
    message: `${name} is not a regular file, so it was not created by content-gen`,
    hint: `find out where it comes from, delete ${name}, and build again`,
  });
}

/** The process id of the lock's owner; `undefined` if the file contains none, `gone` if there is no file. */
function readOwner(path: string): number | 'gone' | undefined {
  let text: string | undefined;
  try {
    text = readFileBytes(path)?.toString('latin1');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 'gone';
    throw error;
  }
  if (text === undefined) return 'gone';
  return /^[1-9]\d{0,9}\n$/.test(text) ? Number(text) : undefined;
}

function isAlive(owner: number | undefined, path: string): boolean {
  if (owner === undefined) return true;
  if (owner === process.pid) return held.has(path);
  try {
    process.kill(owner, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/**
 * Removes the lock of a killed build. It is renamed first: if it turns out that another build has just taken the lock,
 * its lock is put back.
 */
function removeStale(root: string, owner: number | undefined, operations: FileOperations): void {
  const [path, aside] = [join(root, LOCK_FILE), join(root, STALE_LOCK_FILE)];
  try {
    operations.rename(path, aside);
    if (readOwner(aside) !== owner) operations.keepCopy(aside, path);
    operations.removeFile(aside);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

/** Whether a build is running here, or was killed and left its lock. */
export function hasLock(root: string): boolean {
  return [LOCK_FILE, STALE_LOCK_FILE].some((name) => lstatSync(join(root, name), { throwIfNoEntry: false }));
}

function lockedDiagnostic(owner: number | undefined) {
  return {
    code: 'output/locked',
    severity: 'error',
    kind: 'refused',
    message: `another build of this project is running${owner === undefined ? '' : ` (process ${owner})`}`,
    hint: `wait until it has finished; if no build is running, delete ${LOCK_FILE}`,
  } as const;
}
