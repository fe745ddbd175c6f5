import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { processIdentity } from '../../base/process-identity.ts';
import { writeNewFile } from './new-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'content-gen-new-file-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The id of a process that no longer exists. */
const ended = String(spawnSync(process.execPath, ['-e', '']).pid);
const [host = ''] = processIdentity().split('-');
const part = (mark: string) => `.old.gz.${mark}-0123456789ab.part`;

it('removes what killed commands have left in the folder, and nothing else', async () => {
  const kept = [
    part(`${host}-1`),
    part(`ffffffff-${ended}`),
    `.old.gz.${host}-${ended}.part`,
    `old.gz.${host}-${ended}-0123456789ab.part`,
  ];
  for (const name of [...kept, part(`${host}-${ended}`)]) writeFileSync(join(folder, name), 'a part');
  mkdirSync(join(folder, `.folder.${host}-${ended}-0123456789ab.part`));
  await writeNewFile(join(folder, 'new.gz'), async (temporary) => writeFileSync(temporary, 'all'));
  expect(readdirSync(folder).sort()).toEqual([...kept, `.folder.${host}-${ended}-0123456789ab.part`, 'new.gz'].sort());
});

it('leaves nothing after an error, and does not remove other files that this process is writing', async () => {
  const path = (name: string) => join(folder, name);
  await writeNewFile(path('one'), async (temporary) => {
    writeFileSync(temporary, 'all');
    const failing = writeNewFile(path('two'), async (other) => {
      writeFileSync(other, 'a part');
      throw new Error('no space left');
    });
    await expect(failing).rejects.toThrow('no space left');
  });
  expect(readdirSync(folder)).toEqual(['one']);
  await expect(writeNewFile(path('one'), () => Promise.resolve())).rejects.toThrow('already exists');
});
