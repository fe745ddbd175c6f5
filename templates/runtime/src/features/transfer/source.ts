/** Reads the lines of an import. */
import type * as z from 'zod';
import { codeOf } from '../../database/connection.ts';
import { ImportFileError } from './import-file-error.ts';
import { createLineHash, type LineHash } from './format.ts';
import { decompressed, splitLines } from './lines.ts';

export interface Source {
  /** The number of the line that was read last, starting at 1. */
  readonly line: number;
  /** Its length in bytes. */
  readonly length: number;
  /** Reads and parses the next line. Throws an ImportFileError if there is none, or it is not JSON. */
  next(): Promise<unknown>;
  /** Adds the following lines to `sum`, too; undefined stops that. */
  sumInto(sum: LineHash | undefined): void;
  /** The hash of all lines before the current one; after `end`, of the whole file. */
  sha256(): string;
  /** Throws an ImportFileError if there are further lines. */
  end(): Promise<void>;
}

/** Whether an error comes from zlib. */
function isDamage(error: unknown): boolean {
  return codeOf(error)?.startsWith('Z_') === true;
}

/** Opens a byte stream, which may be compressed. */
export function openSource(chunks: AsyncIterable<Buffer>): Source {
  const lines = splitLines(decompressed(chunks));
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const before = createLineHash();
  let last: Buffer | undefined;
  let own: LineHash | undefined;
  let line = 0;

  const read = async (): Promise<Buffer | undefined> => {
    try {
      const { done, value } = await lines.next();
      return done === true ? undefined : value;
    } catch (error) {
      if (isDamage(error)) {
        throw new ImportFileError(line + 1, "the file is damaged or ends here: it can't be decompressed.");
      }
      throw error;
    }
  };
  return {
    get line() {
      return line;
    },
    get length() {
      return last?.length ?? 0;
    },
    async next() {
      const bytes = await read();
      if (!bytes) throw new ImportFileError(line + 1, 'it is missing: the file is incomplete.');
      if (last) before.add(last);
      last = bytes;
      line += 1;
      own?.add(bytes);
      try {
        return JSON.parse(decoder.decode(bytes)) as unknown;
      } catch {
        throw new ImportFileError(
          line,
          'it is not JSON: the file was changed, or is not an export of a server like this one.',
        );
      }
    },
    sumInto(sum) {
      own = sum;
    },
    sha256: () => before.sha256(),
    async end() {
      if (await read()) throw new ImportFileError(line + 1, 'there is more data after the end of the export.');
      if (last) before.add(last);
      last = undefined;
    },
  };
}

/** Validates a parsed line against the format. Throws an ImportFileError, which says that the line must be `what`. */
export function expectLine<T>(source: Source, value: unknown, format: z.ZodType<T>, what: string): T {
  const result = format.safeParse(value);
  if (result.success) return result.data;
  throw new ImportFileError(source.line, `it must be ${what}.`);
}
