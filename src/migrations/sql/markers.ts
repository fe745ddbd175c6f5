/** Lines by which a script says what of it runs at once. The runtime looks for how they begin. */

/** Before a transaction that is not the first. */
export const COMMIT = '-- content-gen: commit. What comes before is kept; a start that was interrupted goes on here.\n';

/** Before statements without a common transaction. */
export const EACH =
  '-- content-gen: each by itself. What comes before is kept. Writes go on while a statement runs; one that was interrupted is run again.\n';

/** Before a statement that is run for one range of ids after the other. */
export function inBatches(table: string, key: string): string {
  return `-- content-gen: in batches of ${table}.${key}. Each is committed by itself; a start that was interrupted goes on with the next one.`;
}
