/** What requests cost, and how much of it callers may spend: `costs:` in the schema. */

/** How many rows each table is taken to have, if the schema does not say it. */
export const ASSUMED_ROWS = 10_000;

/** Budgets are per minute. 0: without limit. */
export interface CostSettings {
  /** Of each user, each API token, and each address without credentials, if nothing else is said. Undefined: without limit. */
  readonly budget?: number;
  /** Role → budget of each user, or for `public` of each address. */
  readonly roles?: Readonly<Record<string, number>>;
  /** Name of an API token → its budget. */
  readonly tokens?: Readonly<Record<string, number>>;
  /** How many rows each table is taken to have. Undefined: `ASSUMED_ROWS`. */
  readonly rows?: number;
}
