/** Of which types it must be known which entries a write updates from their other sides. */

/**
 * By uid. `each`: every entry is told, so that a write that would update too many is refused. `together`: of too many, it is only told that
 * there are.
 */
export type ToldUpdates = ReadonlyMap<string, 'each' | 'together'>;
