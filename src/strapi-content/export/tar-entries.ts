/** Adds files to the tar archive of an export. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Pack } from 'tar-stream';
import type { Stage } from './export-job.ts';

/** Streams a file into the archive. `size`, in bytes, must be exact. */
export async function addBytes(tar: Pack, name: string, size: number, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const entry = tar.entry({ name, size, mode: 0o644 });
  for await (const chunk of bytes) {
    if (!entry.write(Buffer.from(chunk))) await new Promise((resolve) => entry.once('drain', resolve));
  }
  await new Promise<void>((resolve, reject) => {
    entry.once('error', reject);
    entry.end(() => resolve());
  });
}

/** Adds a short file. */
export function addText(tar: Pack, name: string, text: string): void {
  tar.entry({ name, mode: 0o644 }, text);
}

/** Closes a stage and adds its files. */
export async function addStage(tar: Pack, name: string, stage: Stage): Promise<void> {
  for (const path of await stage.close()) {
    await addBytes(tar, `${name}/${basename(path)}`, (await stat(path)).size, createReadStream(path));
  }
}
