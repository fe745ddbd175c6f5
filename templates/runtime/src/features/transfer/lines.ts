/** Splits a byte stream into lines. */
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ImportFileError } from './import-file-error.ts';

const LINE_FEED = 10;
/** In bytes. No engine holds a larger row. */
const MAX_LINE = 2 ** 28;
const GZIP = [0x1f, 0x8b] as const;

/**
 * The lines of a stream, without their line ends (LF only). Throws an ImportFileError if the last line is not terminated, or a
 * line is longer than any line of an export.
 */
export async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let length = 0;
  let number = 1;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      const last = chunk.subarray(start, end);
      yield pieces.length === 0 ? last : Buffer.concat([...pieces, last]);
      pieces = [];
      length = 0;
      number += 1;
      start = end + 1;
    }
    if (start < chunk.length) pieces.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > MAX_LINE) throw new ImportFileError(number, 'it is longer than any line of an export.');
  }
  if (length > 0) throw new ImportFileError(number, 'the file ends within it.');
}

/** Prepends a chunk that was read already. */
async function* startingWith(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

/** A stream, decompressed if it starts with the magic number of gzip. */
export async function* decompressed(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const iterator = chunks[Symbol.asyncIterator]();
  let first = Buffer.alloc(0);
  while (first.length < GZIP.length) {
    const next = await iterator.next();
    if (next.done === true) break;
    first = Buffer.concat([first, next.value]);
  }
  const all = startingWith(first, iterator);
  const isCompressed = GZIP.every((byte, index) => first[index] === byte);
  yield* isCompressed ? pipeline(Readable.from(all), createGunzip(), () => undefined) : all;
}
