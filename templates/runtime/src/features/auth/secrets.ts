/** Random secrets, which are stored as hashes. */
import { createHash, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

/** A random secret, URL-safe. */
export function createSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** The hash to store. A fast hash is enough, since the secret has too much entropy to be guessed. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
