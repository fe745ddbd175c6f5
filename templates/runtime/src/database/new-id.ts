/** The id of a row that a write plan inserts, for the statements that come after its INSERT. */

/**
 * Stands for an id among the parameters of statements. Once the INSERT has run, it is bound as a number; until then, within
 * the same batch, the engine's expression for it is used instead.
 */
export class NewId {
  /** The table of the new row. */
  readonly table: string;
  #value: number | undefined;

  constructor(table: string) {
    this.table = table;
  }

  /** Undefined until the INSERT has run. */
  get known(): number | undefined {
    return this.#value;
  }

  /** Throws if the id is not known yet, which is a bug. */
  get value(): number {
    if (this.#value === undefined) throw new Error(`The id of a new row of ${this.table} is not known yet`);
    return this.#value;
  }

  set(value: number): void {
    this.#value = value;
  }
}
