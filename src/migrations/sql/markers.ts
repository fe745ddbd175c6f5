/** Comments that divide a script into sections. The runtime recognizes them by their prefixes. */

/** Precedes each transaction except the first. */
export const COMMIT = '-- content-gen: commit. What comes before is kept; a start that was interrupted goes on here.\n';

/** Precedes statements that run individually, outside of a transaction. */
export const EACH =
  '-- content-gen: each by itself. What comes before is kept. Writes go on while a statement runs; one that was interrupted is run again.\n';

/** Precedes a statement that runs in batches. */
export function inBatches(table: string, key: string): string {
  return `-- content-gen: in batches of ${table}.${key}. Each is committed by itself; a start that was interrupted goes on with the next one.`;
}
