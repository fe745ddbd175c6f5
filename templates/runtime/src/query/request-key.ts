/** The `Idempotency-Key` of a request: its write also stores the answer, so that a repetition gets it without writing again. */
import type { Statement } from '../database/write-plan.ts';

export interface RequestKey {
  /** Whether the answer is stored after the commit, since the project's own code may read or write before it is known. */
  readonly isLate: boolean;
  /** To be called before the write, by whatever runs the project's own code after it. */
  answersLate(): void;
  /** The request writes nothing: not even its refusal is stored. */
  leavesNothing(): void;
  /** Whether the row of the key belongs to a write that has begun. */
  readonly isWriting: boolean;
  /** The write that the row of the key belongs to. */
  watch<T>(written: Promise<T>): Promise<T>;
  /** The statement that stores that the request is done, without its answer. */
  done(): Statement;
  /** Waits for the answer of the request; resolves to the statement that stores it. Rejects if the request fails. */
  answered(): Promise<Statement>;
  /** Whether an error means that the same request was carried out meanwhile. */
  readonly isTaken: (error: unknown) => boolean;
}

/** The same request was carried out meanwhile, by another process: nothing was written. */
export class KeyTakenError extends Error {
  constructor() {
    super('the request was carried out meanwhile');
    this.name = 'KeyTakenError';
  }
}
