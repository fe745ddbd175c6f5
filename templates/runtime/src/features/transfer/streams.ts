/** Files and standard streams, for exports and imports. */
import { createReadStream, createWriteStream } from 'node:fs';
import { addAbortSignal } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { writeNewFile } from './new-file.ts';

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

/**
 * Writes text to stdout or a new file, compressed if its name ends in `.gz`. The file is renamed into place when it is complete.
 * Throws CommandRefused if it already exists.
 */
export async function writeExport(path: string, text: Text, signal: AbortSignal): Promise<void> {
  if (path === STANDARD_STREAM) {
    await pipeline(text, process.stdout, { end: false, signal });
    return;
  }
  await writeNewFile(path, (temporary) => writeTo(temporary, text, { isCompressed: path.endsWith('.gz'), signal }));
}

/** The bytes of a file, or of stdin. */
export function readImport(path: string, signal: AbortSignal): AsyncIterable<Buffer> {
  return addAbortSignal(signal, path === STANDARD_STREAM ? process.stdin : createReadStream(path));
}
