/** A statement that failed for a range of rows. `cause` is the error of the database, and `message` says which rows these are. */
export class RangeFailure extends Error {
  constructor(
    rows: { readonly table: string; readonly key: string; readonly from: bigint; readonly to: bigint },
    cause: unknown,
  ) {
    const { table, key, from, to } = rows;
    const which = from === to ? `= ${to}` : `from ${from} to ${to}`;
    super(`at rows of ${table} with ${key} ${which}`, { cause });
  }
}
