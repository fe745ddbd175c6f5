/** Reads entries that consist of JSON lines. */
import { ArchiveError } from './archive-error.ts';
import type { ArchiveLimits } from './limits.ts';

const LF = 0x0a;

/** The position of a line. */
export interface LineLocation {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

export function locationText({ file, line }: LineLocation): string {
  return `${file}:${line}`;
}

/** Splits bytes at line feeds, and skips empty lines. Throws an ArchiveError for a line that is too long. */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  file: string,
  limits: ArchiveLimits,
): AsyncGenerator<{ readonly bytes: Buffer; readonly line: number }> {
  let pieces: Buffer[] = [];
  let length = 0;
  let line = 1;
  const take = (piece: Buffer): void => {
    length += piece.length;
    if (length > limits.line) {
      throw new ArchiveError(
        'long-line',
        `${locationText({ file, line })} is a line of more than ${limits.line} bytes, longer than in any export.`,
      );
    }
    if (piece.length > 0) pieces.push(piece);
  };
  const finish = (): Buffer => {
    const bytes = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
    pieces = [];
    length = 0;
    return bytes;
  };
  for await (const chunk of chunks) {
    const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    for (let end = buffer.indexOf(LF); end !== -1; end = buffer.indexOf(LF, start)) {
      take(buffer.subarray(start, end));
      if (length > 0) yield { bytes: finish(), line };
      line += 1;
      start = end + 1;
    }
    take(buffer.subarray(start));
  }
  if (length > 0) yield { bytes: finish(), line };
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function countOf(text: string, character: string, most: number): number {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1 && count <= most; at = text.indexOf(character, at + 1)) count += 1;
  return count;
}

/** Whether arrays and objects of a JSON text are nested deeper than `most`. Counts brackets first, since most lines have fewer. */
export function isDeeper(text: string, most: number): boolean {
  if (countOf(text, '[', most) + countOf(text, '{', most) <= most) return false;
  let depth = 0;
  let isText = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isText && character === '\\') at += 1;
    else if (character === '"') isText = !isText;
    else if (isText) continue;
    else if (character === '[' || character === '{') {
      if ((depth += 1) > most) return true;
    } else if (character === ']' || character === '}') depth -= 1;
  }
  return false;
}

/** Parses a line or a whole file. Throws an ArchiveError that names the position. */
export function parseJson(bytes: Uint8Array, at: LineLocation, limits: ArchiveLimits): unknown {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw new ArchiveError('not-utf8', `${locationText(at)} is not UTF-8 text: the file was changed, or is damaged.`);
  }
  if (isDeeper(text, limits.depth)) {
    throw new ArchiveError('too-deep', `${locationText(at)} has values nested deeper than ${limits.depth} levels.`);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ArchiveError('not-json', `${locationText(at)} is not JSON: the file was changed, or is damaged.`);
  }
}
