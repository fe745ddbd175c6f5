/** How much of a property is tested: a part in `npm test`, all of it with `IN_FULL=1`, as in `npm run test:long`. */

const isFull = process.env['IN_FULL'] === '1';

/** The number of random cases: `part`, or `all`; `name`: the variable that sets another number. */
export function casesOf(name: string, part: number, all: number): number {
  return Number(process.env[name] ?? (isFull ? all : part));
}

/** Every `step`-th case, beginning with that of the number `from`; all in full. */
export function someOf<T>(cases: readonly T[], step: number, from = 0): readonly T[] {
  return isFull ? cases : cases.filter((_, index) => index % step === from % step);
}
