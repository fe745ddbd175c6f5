/** Removes several files from a storage. */
import { ServiceUnavailableError } from '../contract/errors.ts';
import type { Storage } from './storage.ts';

/**
 * Resolves to the names of the files that are gone; never rejects. Stops if the storage is not available: each further attempt would
 * wait for it as long as the first. `onFailure` is called with each file that could not be removed.
 */
export async function removeFiles(
  storage: Pick<Storage, 'remove'>,
  names: readonly string[],
  onFailure: (name: string, error: unknown) => void = () => undefined,
): Promise<readonly string[]> {
  const gone: string[] = [];
  for (const name of names) {
    try {
      await storage.remove(name);
      gone.push(name);
    } catch (error) {
      onFailure(name, error);
      if (error instanceof ServiceUnavailableError) break;
    }
  }
  return gone;
}
