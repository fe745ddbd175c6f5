/** The length of JSON, without building it: of values that stand in many places of it, as populated entries do, each is measured once. */

type Lengths = WeakMap<object, number>;

function lengthOf(value: unknown, known: Lengths): number {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)?.length ?? 0;
  const found = known.get(value) ?? measured(value, known);
  known.set(value, found);
  return found;
}

/** The members with what separates them, and the brackets. */
function joined(lengths: readonly number[]): number {
  return lengths.reduce((sum, length) => sum + length, 2 + Math.max(0, lengths.length - 1));
}

function measured(value: object, known: Lengths): number {
  if (Array.isArray(value)) return joined(value.map((one) => lengthOf(one ?? null, known)));
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return joined(members.map(([key, member]) => JSON.stringify(key).length + 1 + lengthOf(member, known)));
}

/** In characters. `value`: plain data. */
export function jsonLength(value: unknown): number {
  return lengthOf(value, new WeakMap());
}
