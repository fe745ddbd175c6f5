/** Carries changes that were made during a save over to the values that were stored. */
import { type Attribute, type Attributes } from '../model/model.ts';
import type { ModelIndex } from '../model/model-context.tsx';
import { rebasedList } from '../relations/rebase-list.ts';
import type { RelationList } from '../relations/relation-list.ts';
import { type FormValues, type ItemValues, NEW_KEY } from './form-values.ts';
import { isSame } from './same-value.ts';

/** Three versions of a value: as sent, now, and as stored. */
interface Versions<T> {
  readonly sent: T;
  readonly now: T;
  readonly saved: T;
}

function isSameItem(one: ItemValues, other: ItemValues): boolean {
  return one.id === other.id && one.__component === other.__component && one[NEW_KEY] === other[NEW_KEY];
}

function rebasedItem(uid: string, { sent, now, saved }: Versions<ItemValues>, index: ModelIndex): ItemValues {
  return { ...saved, ...rebasedValues(index.component(uid).attributes, { sent, now, saved }, index) };
}

/** The server stores items in the order in which they were sent. */
function rebasedItems(
  uidOf: (item: ItemValues) => string,
  { sent, now, saved }: Versions<readonly ItemValues[]>,
  index: ModelIndex,
): readonly ItemValues[] {
  return now.map((item) => {
    const at = sent.findIndex((other) => isSameItem(other, item));
    const [before, after] = [sent[at], saved[at]];
    return before && after ? rebasedItem(uidOf(item), { sent: before, now: item, saved: after }, index) : item;
  });
}

function itemsOf(value: unknown): readonly ItemValues[] {
  return value === null || value === undefined ? [] : ([value].flat() as ItemValues[]);
}

function rebasedValue(attribute: Attribute, { sent, now, saved }: Versions<unknown>, index: ModelIndex): unknown {
  const items = { sent: itemsOf(sent), now: itemsOf(now), saved: itemsOf(saved) };
  switch (attribute.type) {
    case 'relation':
      if (!attribute.multiple || saved === undefined) return now;
      return rebasedList(sent as RelationList, now as RelationList, saved as RelationList);
    case 'component': {
      const rebased = rebasedItems(() => attribute.component, items, index);
      return attribute.repeatable ? rebased : (rebased[0] ?? null);
    }
    case 'dynamiczone':
      return rebasedItems((item) => String(item.__component), items, index);
    default:
      return now;
  }
}

/** The stored values, with the differences between `sent` and `now` applied. */
export function rebasedValues(
  attributes: Attributes,
  { sent, now, saved }: Versions<FormValues>,
  index: ModelIndex,
): FormValues {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => {
      const times = { sent: sent[name], now: now[name], saved: saved[name] };
      return [name, isSame(times.sent, times.now) ? times.saved : rebasedValue(attribute, times, index)];
    }),
  );
}
