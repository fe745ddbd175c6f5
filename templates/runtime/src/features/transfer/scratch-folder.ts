/** Folders for temporary files of a command. They hold content, so only their owner can read them. */
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isOfEarlierProcess, PROCESS_IDENTITY, processIdentity } from '../../base/process-identity.ts';

const PREFIX = 'content-gen-data-';
const NAME = new RegExp(`^${PREFIX}${PROCESS_IDENTITY.source}-\\w+$`, 'u');

/** The folders of this process. */
const inUse = new Set<string>();

/** Removes folders that killed processes of this user left behind. Never follows symbolic links: other users may write to the directory. */
async function removeAbandoned(directory: string): Promise<void> {
  for (const name of await readdir(directory).catch(() => [])) {
    const identity = NAME.exec(name)?.groups?.['identity'];
    const path = join(directory, name);
    if (identity === undefined || inUse.has(path) || !isOfEarlierProcess(identity)) continue;
    const found = await lstat(path).catch(() => undefined);
    if (found?.isDirectory() !== true || found.uid !== (process.getuid?.() ?? found.uid)) continue;
    await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Calls `work` with an empty folder, which is removed afterwards. If the process is killed, the next command removes it. */
export async function withScratchFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const directory = tmpdir();
  await removeAbandoned(directory);
  const folder = await mkdtemp(join(directory, `${PREFIX}${processIdentity()}-`));
  inUse.add(folder);
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
    inUse.delete(folder);
  }
}
