/** Union types, with the parentheses that prettier keeps. */

/** A union of intersections. */
export function alternatives(types: readonly string[]): string {
  const [only, ...others] = types;
  if (only === undefined) return 'never';
  return others.length === 0 ? only : types.map((type) => `(${type})`).join(' | ');
}

/** An array whose items are one of several intersections. */
export function listOf(types: readonly string[]): string {
  return types.length === 0 ? 'readonly never[]' : `readonly (${alternatives(types)})[]`;
}
