/** Compares values that were sent with those that the server has stored. */
import { attributeType, castScalar } from '../../../runtime/src/contract/attribute-types/scalar-type.ts';
import type { MediaFile } from '../media/media-file.ts';
import type { Attribute, Attributes, ScalarAttribute } from '../model/model.ts';
import type { ModelIndex } from '../model/model-context.tsx';
import { type EntryRef, keyOf } from '../relations/entry-ref.ts';
import { lengthOf, type RelationList, slotAt } from '../relations/relation-list.ts';
import type { FormValues, ItemValues } from './form-values.ts';
import { isSame } from './same-value.ts';

/** JSON with sorted keys, as databases may store it. */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}

/** In a form that does not depend on how the server stores it. */
function comparable({ type }: ScalarAttribute, value: unknown): string {
  const { typescript, input } = attributeType(type);
  const cast = castScalar(type, value);
  const canonical = cast.ok ? cast.value : value;
  // Numbers in responses may have fewer digits than were sent.
  if (typescript.output === 'number') return String(Number(canonical));
  // The server stores those of users in lower case.
  if (input === 'email') return String(canonical).toLowerCase();
  return sortedJson(canonical);
}

/** Compares the lengths, and the entries that both lists know. */
function isStoredList(sent: RelationList, { total, head }: RelationList): boolean {
  if (lengthOf(sent) !== total) return false;
  return head.every((entry, at) => {
    const slot = slotAt(sent, at);
    const expected = slot?.kind === 'server' ? sent.head[slot.index] : slot?.entry;
    return expected === undefined || keyOf(expected) === keyOf(entry);
  });
}

function isStoredItem(uid: string, sent: ItemValues, stored: ItemValues | undefined, index: ModelIndex): boolean {
  const isNew = sent.id === undefined;
  return (
    stored !== undefined &&
    (isNew || sent.id === stored.id) &&
    sent.__component === stored.__component &&
    Object.entries(index.component(uid).attributes).every(([name, attribute]) =>
      isStored(attribute, sent[name], stored[name], index, isNew),
    )
  );
}

/** Lists of values; single values are lists of one. */
function all(value: unknown): readonly unknown[] {
  return value === null ? [] : [value].flat();
}

function keysOf(refs: unknown): readonly string[] {
  return (all(refs) as EntryRef[]).map(keyOf);
}

function idsOf(files: unknown): readonly number[] {
  return (all(files) as MediaFile[]).map(({ id }) => id);
}

/**
 * Whether a form value is what the server has stored. Unknown values, such as passwords, which responses omit, count as equal.
 * `isNew`: an entry or component that was created with the value, where the server may replace null with a default.
 */
export function isStored(
  attribute: Attribute,
  sent: unknown,
  stored: unknown,
  index: ModelIndex,
  isNew = false,
): boolean {
  if (sent === undefined || stored === undefined || (isNew && sent === null)) return true;
  switch (attribute.type) {
    case 'relation':
      return attribute.multiple
        ? isStoredList(sent as RelationList, stored as RelationList)
        : isSame(keysOf(sent), keysOf(stored));
    case 'media':
      return isSame(idsOf(sent), idsOf(stored));
    case 'component':
    case 'dynamiczone': {
      const [items, storedItems] = [all(sent) as ItemValues[], all(stored) as ItemValues[]];
      const uidOf = ({ __component = '' }: ItemValues): string =>
        attribute.type === 'component' ? attribute.component : __component;
      return (
        items.length === storedItems.length &&
        items.every((item, at) => isStoredItem(uidOf(item), item, storedItems[at], index))
      );
    }
    default:
      return sent === null || stored === null
        ? sent === stored
        : comparable(attribute, sent) === comparable(attribute, stored);
  }
}

/** Whether all values in `sent` are stored; see `isStored`. */
export function areStored(
  attributes: Attributes,
  sent: FormValues,
  stored: FormValues,
  index: ModelIndex,
  isNew: boolean,
): boolean {
  return Object.entries(attributes).every(([name, attribute]) =>
    isStored(attribute, sent[name], stored[name], index, isNew),
  );
}
