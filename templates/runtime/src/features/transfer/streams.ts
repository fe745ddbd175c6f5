/** Files and standard streams, for exports and imports. */
import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Refused } from '../../base/command-errors.ts';

/** The file name that means stdout or stdin. */
export const STANDARD_STREAM = '-';

/** Readable by the owner only: an export contains password hashes. */
const MODE = 0o600;

type Text = AsyncIterable<string>;

async function writeTo(
  path: string,
  text: Text,
  { isCompressed, signal }: { isCompressed: boolean; signal: AbortSignal },
) {
  const output = createWriteStream(path, { flags: 'wx', mode: MODE, flush: true });
  await (isCompressed ? pipeline(text, createGzip(), output, { signal }) : pipeline(text, output, { signal }));
}

function checkNew(path: string): void {
  if (existsSync(path)) throw new Refused(`${path} is there already. Delete it, or take another name.`);
}

/**
 * Writes text to a new file, compressed if its name ends in `.gz`. The file is renamed into place when it is complete.
 * Throws Refused if it exists already.
 */
export async function writeExport(path: string, text: Text, signal: AbortSignal): Promise<void> {
  if (path === STANDARD_STREAM) {
    await pipeline(text, process.stdout, { end: false, signal });
    return;
  }
  checkNew(path);
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.part`);
  try {
    await writeTo(temporary, text, { isCompressed: path.endsWith('.gz'), signal });
    checkNew(path);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** The bytes of a file, or of stdin. */
export function readImport(path: string, signal: AbortSignal): AsyncIterable<Buffer> {
  return addAbortSignal(signal, path === STANDARD_STREAM ? process.stdin : createReadStream(path));
}
