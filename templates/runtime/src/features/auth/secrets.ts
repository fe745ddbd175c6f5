/** Random secrets that are handed out once and stored as their hashes. */
import { createHash, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

/** A secret that nobody can guess, in characters that need no escape in a URL. */
export function createSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** What is stored of a secret. It is as hard to guess as the secret, so that a plain, fast hash is enough. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
