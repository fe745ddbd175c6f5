/** Copies components: same values and relations, without the id. */
import type { Attributes } from '../model/model.ts';
import { type ModelIndex, useModel } from '../model/model-context.tsx';
import { connect, isRun, listOf, type RelationList } from '../relations/relation-list.ts';
import { type FormValues, type ItemValues, newItem } from '../rest/form-values.ts';
import { useReadRows } from '../rest/relation-rows.ts';
import type { EntryRef } from '../relations/entry-ref.ts';

/** Reads all entries of the server's list, in order. */
type ReadAll = (list: RelationList) => Promise<readonly EntryRef[]>;

async function copyList(list: RelationList, readAll: ReadAll): Promise<RelationList> {
  const all = await readAll(list);
  const entries = list.segments.flatMap((segment) =>
    isRun(segment) ? all.slice(segment.from, segment.to) : [segment.entry],
  );
  return entries.reduce(connect, listOf(0, []));
}

async function copyItem(
  item: ItemValues,
  attributes: Attributes,
  index: ModelIndex,
  readAll: ReadAll,
): Promise<ItemValues> {
  return newItem(await copyValues(item, attributes, index, readAll), item.__component);
}

async function copyValues(
  values: FormValues,
  attributes: Attributes,
  index: ModelIndex,
  readAll: ReadAll,
): Promise<FormValues> {
  const copied = Object.entries(attributes).map(async ([name, attribute]): Promise<[string, unknown]> => {
    const value = values[name];
    if (value === null || value === undefined) return [name, value];
    if (attribute.type === 'relation' && attribute.multiple) {
      return [name, await copyList(value as RelationList, readAll)];
    }
    const uidOf = (item: ItemValues): string =>
      item.__component ?? (attribute.type === 'component' ? attribute.component : '');
    const copy = (item: ItemValues): Promise<ItemValues> =>
      copyItem(item, index.component(uidOf(item)).attributes, index, readAll);
    if (attribute.type !== 'component' && attribute.type !== 'dynamiczone') return [name, structuredClone(value)];
    return [
      name,
      Array.isArray(value) ? await Promise.all((value as ItemValues[]).map(copy)) : await copy(value as ItemValues),
    ];
  });
  return Object.fromEntries(await Promise.all(copied));
}

function useReadAll(): ReadAll {
  const readRows = useReadRows();
  return async ({ total, head, place }) => (total <= head.length || !place ? head : await readRows(place, {}));
}

export function useCopyItem(): (item: ItemValues, uid: string) => Promise<ItemValues> {
  const index = useModel();
  const readAll = useReadAll();
  return (item, uid) => copyItem(item, index.component(uid).attributes, index, readAll);
}

/** Copies the values of an entry, such as those of another locale. */
export function useCopyValues(): (values: FormValues, attributes: Attributes) => Promise<FormValues> {
  const index = useModel();
  const readAll = useReadAll();
  return (values, attributes) => copyValues(values, attributes, index, readAll);
}
