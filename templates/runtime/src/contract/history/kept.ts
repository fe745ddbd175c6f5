/** Which versions of entries are kept. */

/** Everything that a member limits: the last versions of an entry, or those that were current in the last days. */
export interface Kept {
  readonly versions?: number;
  readonly days?: number;
}

const WRITTEN = /^([1-9]\d{0,5})(d?)$/u;

/** What `100` or `400d` means; undefined for anything else. */
export function countOf(written: string): Kept | undefined {
  const [, digits, unit] = WRITTEN.exec(written) ?? [];
  if (digits === undefined) return undefined;
  return unit === 'd' ? { days: Number(digits) } : { versions: Number(digits) };
}
