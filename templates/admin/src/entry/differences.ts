/** What differs between two versions of an entry: the published one, and its draft. */
import type { MediaFile } from '../media/media-file.ts';
import type { Attribute, Attributes } from '../model/model.ts';
import type { ModelIndex } from '../model/model-context.tsx';
import { type EntryRef, keyOf } from '../relations/entry-ref.ts';
import type { RelationList } from '../relations/relation-list.ts';
import { titleOfItem } from '../components/item-title.ts';
import type { FormValues, ItemValues } from '../rest/form-values.ts';
import { isSame } from '../rest/same-value.ts';
import { type ListChange, listChanges } from '../../../runtime/src/contract/history/list-changes.ts';

/** How many entries of a list are compared. */
export const MAX_COMPARED = 100;

export type Change =
  | { readonly kind: 'value'; readonly before: unknown; readonly after: unknown }
  /** `isCut`: entries beyond the first `MAX_COMPARED` were not compared. */
  | { readonly kind: 'list'; readonly changes: readonly ElementChange[]; readonly isCut: boolean }
  /** A component that both versions have. */
  | { readonly kind: 'within'; readonly differences: readonly Difference[] };

export interface Difference {
  readonly name: string;
  readonly attribute: Attribute;
  readonly change: Change;
}

/** What happened to an element of a list. `differences`: within it. */
export interface ElementChange extends ListChange {
  readonly title: string;
  readonly differences?: readonly Difference[];
}

/** A list whose elements are identified by keys. */
interface Elements {
  readonly keys: readonly string[];
  readonly titleOf: (key: string) => string;
}

function elementsOf<T>(all: readonly T[], keyIn: (one: T) => string, titleIn: (one: T) => string): Elements {
  const titles = new Map(all.map((one) => [keyIn(one), titleIn(one)]));
  return { keys: [...titles.keys()], titleOf: (key) => titles.get(key) ?? '' };
}

function namedChanges(before: Elements, after: Elements): ElementChange[] {
  return listChanges(before.keys, after.keys).map((change) => ({
    ...change,
    title: (change.kind === 'removed' ? before : after).titleOf(change.key),
  }));
}

function listChange(changes: readonly ElementChange[], isCut = false): Change | undefined {
  return changes.length === 0 ? undefined : { kind: 'list', changes, isCut };
}

function valueChange(before: unknown, after: unknown): Change | undefined {
  return isSame(before, after) ? undefined : { kind: 'value', before: before ?? null, after: after ?? null };
}

/** Entries that are not published are in no published list, and appear there by themselves later: they are no difference. */
function refsChange(before: RelationList, after: RelationList): Change | undefined {
  const elements = (refs: readonly EntryRef[]): Elements => elementsOf(refs, keyOf, ({ title }) => title);
  const published = after.head.filter(({ isDraft }) => isDraft !== true);
  const isCut = Math.max(before.head.length, after.head.length) >= MAX_COMPARED;
  return listChange(namedChanges(elements(before.head), elements(published)), isCut);
}

function refChange(before: EntryRef | null, after: EntryRef | null): Change | undefined {
  if (before === null && after?.isDraft === true) return undefined;
  const isSameEntry = (before && keyOf(before)) === (after && keyOf(after));
  return isSameEntry ? undefined : { kind: 'value', before: before?.title ?? null, after: after?.title ?? null };
}

function mediaChange(before: unknown, after: unknown): Change | undefined {
  if (!Array.isArray(before) || !Array.isArray(after)) {
    const idOf = (file: unknown): number | undefined => (file as MediaFile | null)?.id;
    return idOf(before) === idOf(after) ? undefined : { kind: 'value', before, after };
  }
  const elements = (files: MediaFile[]): Elements =>
    elementsOf(
      files,
      ({ id }) => String(id),
      ({ name }) => name,
    );
  return listChange(namedChanges(elements(before), elements(after)));
}

function itemsChange(
  before: readonly ItemValues[],
  after: readonly ItemValues[],
  uidOf: (item: ItemValues) => string,
  index: ModelIndex,
): Change | undefined {
  const keyIn = (item: ItemValues): string => `${uidOf(item)} ${item.id}`;
  const elements = (items: readonly ItemValues[]): Elements =>
    elementsOf(items, keyIn, (item) => titleOfItem(item, index.component(uidOf(item))));
  const former = new Map(before.map((item) => [keyIn(item), item]));
  const [old, current] = [elements(before), elements(after)];
  const within = after.flatMap((item): ElementChange[] => {
    const key = keyIn(item);
    const was = former.get(key);
    const differences = was ? differencesOf(index.component(uidOf(item)).attributes, was, item, index) : [];
    return differences.length === 0 ? [] : [{ kind: 'changed', key, title: current.titleOf(key), differences }];
  });
  return listChange([...namedChanges(old, current), ...within]);
}

function componentChange(
  uid: string,
  before: ItemValues | null,
  after: ItemValues | null,
  index: ModelIndex,
): Change | undefined {
  if (!before || !after || before.id !== after.id) {
    return itemsChange(before ? [before] : [], after ? [after] : [], () => uid, index);
  }
  const differences = differencesOf(index.component(uid).attributes, before, after, index);
  return differences.length === 0 ? undefined : { kind: 'within', differences };
}

function changeOf(attribute: Attribute, before: unknown, after: unknown, index: ModelIndex): Change | undefined {
  switch (attribute.type) {
    case 'relation':
      return attribute.multiple
        ? refsChange(before as RelationList, after as RelationList)
        : refChange(before as EntryRef | null, after as EntryRef | null);
    case 'media':
      return mediaChange(before, after);
    case 'component':
      return Array.isArray(before) && Array.isArray(after)
        ? itemsChange(before as ItemValues[], after as ItemValues[], () => attribute.component, index)
        : componentChange(attribute.component, before as ItemValues | null, after as ItemValues | null, index);
    case 'dynamiczone':
      return itemsChange(before as ItemValues[], after as ItemValues[], ({ __component: uid = '' }) => uid, index);
    default:
      return valueChange(before, after);
  }
}

/** The attributes that differ, in the order of the schema. Attributes that one of the versions does not show are left out. */
export function differencesOf(
  attributes: Attributes,
  before: FormValues,
  after: FormValues,
  index: ModelIndex,
): Difference[] {
  return Object.entries(attributes).flatMap(([name, attribute]) => {
    const [was, is] = [before[name], after[name]];
    if (was === undefined || is === undefined) return [];
    const change = changeOf(attribute, was, is, index);
    return change ? [{ name, attribute, change }] : [];
  });
}
