/** The header `Idempotency-Key`. */
import { BadRequestError } from '../../contract/errors.ts';

const MAX_LENGTH = 255;
const QUOTED = /^"(?<key>[\x20\x21\x23-\x7e]+)"$/u;
const BARE = /^[\x21\x23-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/u;

/** The key, which may be in quotes. Throws BadRequestError if the header is malformed. */
export function keyIn(header: string): string {
  const text = header.trim();
  const key = QUOTED.exec(text)?.groups?.['key'] ?? (BARE.test(text) ? text : undefined);
  if (key !== undefined && key.length <= MAX_LENGTH) return key;
  throw new BadRequestError(
    `Invalid header Idempotency-Key: it must have 1 to ${MAX_LENGTH} ASCII characters, such as a random UUID`,
  );
}
