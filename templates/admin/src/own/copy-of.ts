/** A copy of a value: those of forms must not change in place. */
export function copyOf(value: unknown): unknown {
  return typeof value === 'object' ? structuredClone(value) : value;
}
