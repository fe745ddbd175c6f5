/** Estimates the cost of reads from their scans and the sizes of the tables. */
import type { ReadOptions, Scan } from './statement-runner.ts';

/** An estimate of how many rows a table has. Infinity: unknown. */
export type RowCount = (table: string) => number;

/** In microseconds. */
function costOf(scans: readonly Scan[], rowsOf: RowCount): number {
  let sum = 0;
  for (const { table, weight, most } of scans) sum += weight * Math.min(rowsOf(table), most ?? Infinity);
  return sum;
}

/** Whether a read may cost more than `most`, in microseconds. */
export function costsMoreThan(most: number, read: ReadOptions | undefined, rowsOf: RowCount): boolean {
  return read?.scans !== undefined && read.scans.length > 0 && costOf(read.scans, rowsOf) > most;
}
