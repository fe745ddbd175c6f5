/** Changes of several entries, of which some may fail. */
import type { Identifier } from 'react-admin';

/** Some changes have failed; the others are made. */
export class SomeFailedError extends Error {
  /** Id of the entry, and why. */
  readonly failures: readonly (readonly [Identifier, unknown])[];

  constructor(failures: SomeFailedError['failures']) {
    super('problem.some');
    this.failures = failures;
  }
}

/** The API has no bulk requests. */
const AT_ONCE = 4;

/** Runs `work` for each id, a few at a time, and returns the ids. Throws SomeFailedError after all others are done. */
export async function eachOf(
  ids: readonly Identifier[],
  work: (id: Identifier) => Promise<unknown>,
): Promise<Identifier[]> {
  const waiting = [...ids];
  const failures: [Identifier, unknown][] = [];
  const worker = async (): Promise<void> => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      try {
        await work(id);
      } catch (error) {
        failures.push([id, error]);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  if (failures.length > 0) throw new SomeFailedError(failures);
  return [...ids];
}
