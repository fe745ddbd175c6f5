/** Writes new files atomically: each appears under its name only when it is complete. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CommandRefused } from '../../base/command-errors.ts';
import { isOfEarlierProcess, PROCESS_IDENTITY, processIdentity } from '../../base/process-identity.ts';

const NAME = new RegExp(String.raw`^\..+\.${PROCESS_IDENTITY.source}-[0-9a-f]{12}\.part$`, 'u');

/** The temporary files of this process. */
const inUse = new Set<string>();

/** Removes incomplete files that killed processes of this user left behind. */
async function removeAbandoned(directory: string): Promise<void> {
  for (const name of await readdir(directory).catch(() => [])) {
    const identity = NAME.exec(name)?.groups?.['identity'];
    const path = join(directory, name);
    if (identity === undefined || inUse.has(path) || !isOfEarlierProcess(identity)) continue;
    const found = await lstat(path).catch(() => undefined);
    if (found?.isFile() !== true || found.uid !== (process.getuid?.() ?? found.uid)) continue;
    await rm(path, { force: true }).catch(() => undefined);
  }
}

function checkNew(path: string): void {
  if (existsSync(path)) throw new CommandRefused(`${path} already exists. Delete it, or choose another name.`);
}

/**
 * Calls `write` with the path of a hidden temporary file beside `path`, which is then renamed, or removed after an error. If the process
 * is killed, the next call for the same folder removes it. Throws CommandRefused if `path` already exists, or its
 * folder does not.
 */
export async function writeNewFile<T>(path: string, write: (temporary: string) => Promise<T>): Promise<T> {
  checkNew(path);
  const directory = dirname(path);
  if (!existsSync(directory)) {
    throw new CommandRefused(`There is no folder ${directory}. Create it, or choose another name.`);
  }
  await removeAbandoned(directory);
  const name = `.${basename(path)}.${processIdentity()}-${randomBytes(6).toString('hex')}.part`;
  const temporary = join(directory, name);
  inUse.add(temporary);
  try {
    const written = await write(temporary);
    checkNew(path);
    await rename(temporary, path);
    return written;
  } finally {
    await rm(temporary, { force: true });
    inUse.delete(temporary);
  }
}
