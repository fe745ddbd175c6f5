/** Writes that are first planned optimistically, and planned again if an assumption was wrong. */

/** A transaction that relied on a guard was rolled back: it must be planned again without guards. */
export class GuardFailed extends Error {
  constructor(cause: unknown) {
    super('a transaction has to be planned again', { cause });
    this.name = 'GuardFailed';
  }
}

/** Plans a write with assumptions, and again without them if one was wrong. */
export async function optimisticFirst<T>(run: (assuming: boolean) => Promise<T>): Promise<T> {
  try {
    return await run(true);
  } catch (error) {
    if (!(error instanceof GuardFailed)) throw error;
    return run(false);
  }
}
