/** A request with an `Idempotency-Key` that is carried out. */
import type { Statement } from '../../database/write-plan.ts';
import type { RequestKey } from '../../query/request-key.ts';
import type { KeptAnswer, KeyRows } from './key-rows.ts';
import type { Payload } from './payload.ts';

export class KeyedRequest implements RequestKey {
  readonly isTaken: RequestKey['isTaken'];
  readonly #name: string;
  readonly #payload: Pick<Payload, 'text'>;
  readonly #rows: KeyRows;
  #isLate = false;
  #leavesNothing = false;
  /** The write that waits for the answer, or that is done. */
  #write: Promise<unknown> | undefined;
  #isWritten = false;
  #answer!: (answer: KeptAnswer) => void;
  #fail!: (error: unknown) => void;
  readonly #answered: Promise<KeptAnswer>;

  constructor(name: string, payload: Pick<Payload, 'text'>, rows: KeyRows) {
    this.#name = name;
    this.#payload = payload;
    this.#rows = rows;
    this.isTaken = (error) => rows.isTaken(error);
    this.#answered = new Promise((resolve, reject) => {
      this.#answer = resolve;
      this.#fail = reject;
    });
    // It may fail before anything waits for it.
    this.#answered.catch(() => undefined);
  }

  get isLate(): boolean {
    return this.#isLate;
  }

  leavesNothing(): void {
    this.#leavesNothing = true;
  }

  get isWriting(): boolean {
    return this.#write !== undefined;
  }

  answersLate(): void {
    this.#isLate = true;
  }

  async watch<T>(written: Promise<T>): Promise<T> {
    this.#write = written;
    try {
      const result = await written;
      this.#isWritten = true;
      return result;
    } catch (error) {
      this.#write = undefined;
      throw error;
    }
  }

  done(): Statement {
    return this.#rows.insertion(this.#name, { payload: this.#payload.text, answer: undefined });
  }

  async answered(): Promise<Statement> {
    const answer = await this.#answered;
    return this.#rows.insertion(this.#name, { payload: this.#payload.text, answer });
  }

  /** Stores the answer together with the write, if there is one. Throws what makes that write fail; then nothing is written. */
  async settle(answer: KeptAnswer): Promise<void> {
    const write = this.#write;
    if (this.#isWritten) {
      await this.#rows.answer(this.#name, answer);
      return;
    }
    this.#answer(answer);
    await write;
  }

  /** Undoes a write that waits for the answer. */
  async fail(reason: unknown): Promise<void> {
    const write = this.#write;
    this.#fail(reason);
    await Promise.allSettled([write]);
  }

  /** Stores the answer of a request that failed; returns false if another one was carried out meanwhile. */
  async keep(answer: KeptAnswer): Promise<boolean> {
    if (this.#leavesNothing) return true;
    if (!this.#isWritten) return this.#rows.add(this.#name, { payload: this.#payload.text, answer });
    await this.#rows.answer(this.#name, answer);
    return true;
  }
}
