/** What a query shows of an entry or item: attributes, and what is behind them. */

/** A populated attribute: the options of a query. */
export type PopulatedNode = Readonly<Record<string, unknown>>;

export class Level {
  readonly #fields = new Set<string>();
  readonly #populate = new Map<string, PopulatedNode>();

  /** Whether the number of entries on all pages is asked for. */
  isCounted = false;

  field(attribute: string): void {
    this.#fields.add(attribute);
  }

  /** Adds a populated attribute; returns its name in the answer. A document may show one several times, each in its own way. */
  populate(attribute: string, key: string, node: PopulatedNode): string {
    const name = this.#populate.has(attribute) ? `${key}:${attribute}` : attribute;
    this.#populate.set(name, node);
    return name;
  }

  /** The options of a query. Without an attribute, only the id is read. */
  query(): PopulatedNode {
    const fields = this.#fields.size === 0 ? ['id'] : [...this.#fields];
    return this.#populate.size === 0 ? { fields } : { fields, populate: Object.fromEntries(this.#populate) };
  }
}
