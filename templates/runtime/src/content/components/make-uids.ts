/** Generates values for required `uid` attributes of new items. */
import { slugify } from '../../contract/values/slugify.ts';
import { slugOf } from '../uid-base.ts';
import { isScalarAttribute, valueOf } from '../../contract/item-attributes.ts';
import type { SentScalar } from './merge-items.ts';

/** How many candidates beyond the number of items are looked up in the first round, in case some are taken. */
const SPARE_NUMBERS = 8;

/** The slug that a value is based on: that of the attribute `targetField`, or else of the component's name. */
async function baseOf({ component, attribute: { targetField }, item }: SentScalar): Promise<string> {
  const target =
    targetField !== undefined && Object.hasOwn(component.attributes, targetField)
      ? component.attributes[targetField]
      : undefined;
  const text = target && isScalarAttribute(target) ? valueOf(item, target.column) : undefined;
  return (typeof text === 'string' ? await slugOf(text) : '') || slugify(component.uid);
}

/** The items that need a value with the same base, and how many candidates have been tried for them. */
interface Pending {
  readonly base: string;
  readonly items: SentScalar[];
  tried: number;
}

async function byBase(missing: readonly SentScalar[]): Promise<Pending[]> {
  const found = new Map<string, Pending>();
  for (const sent of missing) {
    const base = await baseOf(sent);
    const pending = found.get(base) ?? { base, items: [], tried: 0 };
    pending.items.push(sent);
    found.set(base, pending);
  }
  return [...found.values()];
}

/** The next candidates in the sequence `base`, `base-1`, `base-2`, … that haven't been tried yet. */
function nextCandidates({ base, items, tried }: Pending, spare: number): string[] {
  return Array.from({ length: items.length + spare }, (_, index) =>
    tried + index === 0 ? base : `${base}-${tried + index}`,
  );
}

/**
 * Gives each item the first unused value of `base`, `base-1`, `base-2`, … `held` are the values of the entry's other items, to
 * which the new values are added; `findTaken` returns which of the given values other entries use.
 */
export async function makeUids(
  missing: readonly SentScalar[],
  held: Set<unknown>,
  findTaken: (values: readonly string[]) => Promise<ReadonlySet<unknown>>,
): Promise<void> {
  let pending = await byBase(missing);
  for (let spare = SPARE_NUMBERS; pending.length > 0; spare *= 2) {
    const candidates = pending.map((one) => nextCandidates(one, spare));
    const taken = await findTaken(candidates.flat());
    for (const [index, one] of pending.entries()) {
      const values = candidates[index] ?? [];
      one.tried += values.length;
      for (const value of values) {
        if (taken.has(value) || held.has(value)) continue;
        const sent = one.items.shift();
        if (!sent) break;
        sent.item[sent.attribute.column] = value;
        held.add(value);
      }
    }
    pending = pending.filter(({ items }) => items.length > 0);
  }
}
