/** Comments that divide a script into sections. The runtime recognizes them by their prefixes. */

/** Precedes each transaction except the first. */
export const COMMIT =
  '-- content-gen: commit. The statements above stay committed; an interrupted run continues here.\n';

/** Precedes statements that run individually, outside of a transaction. */
export const EACH =
  '-- content-gen: each by itself. The statements above stay committed. Writes continue while a statement runs; an interrupted statement is repeated.\n';

/** Precedes a statement that runs in batches. */
export function inBatches(table: string, key: string): string {
  return `-- content-gen: in batches of ${table}.${key}. Each batch is committed separately; an interrupted run continues with the next one.`;
}
