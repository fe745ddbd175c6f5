/** Splits a stored file into chunks of equal size. */
import type { Readable } from 'node:stream';
import { CHUNK_SIZE } from './format.ts';

/** Yields chunks of CHUNK_SIZE bytes (the last may be shorter), regardless of how the stream is chunked. */
export async function* inChunks(stream: Readable): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    pieces.push(Buffer.from(chunk));
    length += chunk.length;
    if (length < CHUNK_SIZE) continue;
    const all = Buffer.concat(pieces);
    let start = 0;
    for (; all.length - start >= CHUNK_SIZE; start += CHUNK_SIZE) yield all.subarray(start, start + CHUNK_SIZE);
    pieces = [all.subarray(start)];
    length = all.length - start;
  }
  if (length > 0) yield Buffer.concat(pieces);
}
