import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decompressed, splitLines } from './lines.ts';

/** Chunks of `size` bytes. */
async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function linesOf(bytes: Buffer, size: number): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of splitLines(decompressed(chunksOf(bytes, size)))) lines.push(line.toString('utf8'));
  return lines;
}

describe('a stream of bytes', () => {
  const lines = ['{"a":"\u2028\u2029\u0085 漢字 😀"}', '', 'ends in CR\r', 'x'.repeat(500)];
  const text = Buffer.from(lines.map((line) => `${line}\n`).join(''));

  it.each([1, 2, 3, 7, 64, 10_000])('is split at LF only, in chunks of %d bytes', async (size) => {
    expect(await linesOf(text, size)).toEqual(lines);
    expect(await linesOf(gzipSync(text), size)).toEqual(lines);
  });

  it('must not end within a line', async () => {
    for (const size of [1, 10_000]) {
      await expect(linesOf(text.subarray(0, -1), size)).rejects.toThrow('Line 4 of the file: the file ends within it.');
      await expect(linesOf(gzipSync(text).subarray(0, -9), size)).rejects.toThrow('unexpected end of file');
    }
    expect(await linesOf(Buffer.alloc(0), 1)).toEqual([]);
  });
});
