/** The id of a row that a write plan inserts, for the statements that come after its INSERT. */

/**
 * Stands for an id among the parameters of statements. Once the INSERT is answered it is a number like any other; until then, in
 * the same batch, it is what the engine calls it.
 */
export class NewId {
  /** The table whose row it is the id of. */
  readonly table: string;
  #value: number | undefined;

  constructor(table: string) {
    this.table = table;
  }

  /** Undefined until the INSERT is answered. */
  get known(): number | undefined {
    return this.#value;
  }

  /** Throws if the id is not known yet: a defect. */
  get value(): number {
    if (this.#value === undefined) throw new Error(`The id of a new row of ${this.table} is not known yet`);
    return this.#value;
  }

  set(value: number): void {
    this.#value = value;
  }
}
