/** Writes that are planned as if what they need were so, and again where it is not. */

/** A transaction was undone that went on as if a guard held: it is to be planned again without guards. */
export class GuardFailed extends Error {
  constructor(cause: unknown) {
    super('a transaction has to be planned again', { cause });
    this.name = 'GuardFailed';
  }
}

/** Has a write planned with assumptions, and again without where one was wrong. */
export async function assumingFirst<T>(run: (assuming: boolean) => Promise<T>): Promise<T> {
  try {
    return await run(true);
  } catch (error) {
    if (!(error instanceof GuardFailed)) throw error;
    return run(false);
  }
}
