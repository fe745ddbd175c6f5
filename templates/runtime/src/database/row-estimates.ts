/** How many rows the tables of a database server have, by the server's own statistics. */
import type { RowCount } from './read-cost.ts';
import type { Row } from './statement-runner.ts';

/** How long estimates are used, in milliseconds, and in multiples of the time that reading them took. */
const FRESH = { least: 5000, factor: 100 };

export interface RowEstimates {
  readonly of: RowCount;
  /** Resolves once there are any; undefined if that is the case already. Never rejects. */
  known(): Promise<void> | undefined;
}

/** `load` reads rows with the `name` of a table and its `estimate`. Meanwhile, and if it fails, the previous ones are used. */
export function createRowEstimates(load: () => Promise<readonly Row[]>): RowEstimates {
  let estimates: ReadonlyMap<string, number> = new Map();
  let freshUntil = -Infinity;
  let isKnown = false;
  let loading: Promise<void> | undefined;

  async function refresh(): Promise<void> {
    const started = performance.now();
    try {
      const rows = await load();
      estimates = new Map(rows.map(({ name, estimate }) => [String(name), Number(estimate)]));
    } catch {
      // The read that needs the estimates meets the same failure, and reports it.
    } finally {
      const now = performance.now();
      freshUntil = now + Math.max(FRESH.least, FRESH.factor * (now - started));
      isKnown = true;
      loading = undefined;
    }
  }

  return {
    of: (table) => estimates.get(table) ?? Infinity,
    known() {
      if (performance.now() >= freshUntil) loading ??= refresh();
      return isKnown ? undefined : loading;
    },
  };
}
