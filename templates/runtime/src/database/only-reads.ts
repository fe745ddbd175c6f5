/** Which statements only read. */

/** Whether a statement only reads. A `WITH` that might write counts as one that does. */
export function onlyReads(text: string): boolean {
  return (
    /^\s*(?:SELECT|VALUES|EXPLAIN)\b/iu.test(text) ||
    (/^\s*WITH\b/iu.test(text) && !/\b(?:INSERT|UPDATE|DELETE|REPLACE)\b/iu.test(text))
  );
}
