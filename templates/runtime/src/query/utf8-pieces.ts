/** JSON in pieces, as statements and levels deliver it, and its bytes. */

/** Pieces of JSON: texts, or bytes in UTF-8. None ends within a character, a marker, or the signature of an entry. */
export type Pieces = readonly (string | Buffer)[];

/** The array of values. */
export function arrayOf(values: readonly Pieces[]): Pieces {
  const pieces: (string | Buffer)[] = ['['];
  for (const [index, value] of values.entries()) {
    if (index > 0) pieces.push(',');
    for (const piece of value) pieces.push(piece);
  }
  pieces.push(']');
  return pieces;
}

/** In characters. V8 keeps longer strings in pages of their own, which costs more than their characters. */
const LONG = 32 * 1024;
/** A UTF-16 code unit takes at most three bytes of UTF-8. */
const MOST_BYTES = 3;
/** In bytes. What longer answers take is freed after them. */
const KEPT = 1024 * 1024;

/** Where answers are put together, one after another: memory of their own would be garbage that V8 sees late, as it is not on its heap. */
const kept = Buffer.allocUnsafeSlow(KEPT);

/** The bytes of pieces, in new memory of exactly their size. */
export function utf8Of(pieces: Pieces): Buffer {
  let memory = kept;
  let end = 0;
  let text = '';

  function reserve(size: number): void {
    if (end + size <= memory.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(end + size, memory.length * 2));
    larger.set(memory.subarray(0, end));
    memory = larger;
  }
  function writeText(): void {
    reserve(text.length * MOST_BYTES);
    end += memory.write(text, end);
    text = '';
  }

  for (const piece of pieces) {
    if (typeof piece === 'string') {
      if (text.length + piece.length > LONG) writeText();
      text += piece;
    } else {
      writeText();
      reserve(piece.length);
      memory.set(piece, end);
      end += piece.length;
    }
  }
  writeText();
  return Buffer.from(memory.subarray(0, end));
}

/** Whether they have more than `most` bytes. */
export function isLonger(pieces: Pieces, most: number): boolean {
  let bound = 0;
  for (const piece of pieces) bound += piece.length * (typeof piece === 'string' ? MOST_BYTES : 1);
  if (bound <= most) return false;
  let size = 0;
  for (const piece of pieces) size += Buffer.byteLength(piece);
  return size > most;
}
