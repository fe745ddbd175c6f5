/** Any value as text: empty for null and undefined, JSON for everything but strings. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
