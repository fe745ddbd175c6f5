/** The explanations of why a SQLite file can't be opened or written. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from './open-database.ts';

const run = promisify(execFile);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'content-test-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const open = async (path: string): Promise<void> => (await openDatabase(`sqlite:${path}`)).close();

it('R13: names what is in place of the file, and what to do', async () => {
  await mkdir(join(folder, 'data.db'));
  await expect(open(join(folder, 'data.db'))).rejects.toThrow(
    /data\.db can't be opened.*it is a folder\. Name a file/u,
  );
  await writeFile(join(folder, 'file'), 'x'.repeat(5000));
  await expect(open(join(folder, 'file/data.db'))).rejects.toThrow(/is a file, not a folder.*DATABASE_URL/u);
  await expect(open(join(folder, 'file'))).rejects.toThrow(/it is not a SQLite database.*DATABASE_URL/u);
  // It looks relative, but would be at the root of the file system.
  await expect(open('//data/blog.db')).rejects.toThrow(/Write sqlite:\.\/data\/NAME\.db/u);
});

it('R13: says that a volume is read-only, whether or not the file and its folder are there', async ({ skip }) => {
  const volume = join(folder, 'volume');
  await mkdir(volume);
  const mount = (...options: readonly string[]) => run('mount', [...options, volume]);
  try {
    await mount('-t', 'tmpfs', '-o', 'size=4m', 'tmpfs');
  } catch (error) {
    skip(`no volume can be mounted here: ${String(error)}`);
  }
  try {
    await open(join(volume, 'data.db'));
    await mount('-o', 'remount,ro');
    for (const name of ['data.db', 'new.db', 'folder/new.db']) {
      await expect(open(join(volume, name))).rejects.toThrow(/is on a volume that is mounted read-only.*DATABASE_URL/u);
    }
    await mount('-o', 'remount,rw');
    await open(join(volume, 'data.db'));
  } finally {
    await run('umount', [volume]);
  }
});
