/** The key of an encrypted archive. Never a command-line argument, which other users of the machine can see. */
import { readFile } from 'node:fs/promises';

/** The environment variable with the key. */
export const KEY_VARIABLE = 'STRAPI_EXPORT_KEY';

/** Reads the key from a file, without its line end, or from the environment; undefined if neither is given. Throws like `readFile`. */
export async function archiveKey(
  file: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  if (file !== undefined) return (await readFile(file, 'utf8')).replace(/\r?\n$/u, '');
  return environment[KEY_VARIABLE] || undefined;
}
