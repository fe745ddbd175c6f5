/** Converts an entry of a response to form values. */
import type { MediaFile } from '../media/media-file.ts';
import { type Attribute, type Attributes, isPolymorphic } from '../model/model.ts';
import type { ModelIndex } from '../model/model-context.tsx';
import type { EntryRef } from '../relations/entry-ref.ts';
import { listOf } from '../relations/relation-list.ts';
import type { ComponentStep, RelationPlace } from '../relations/relation-place.ts';
import { PAGE } from './entry-query.ts';
import { flat, populatedCount, populatedMany, populatedOne, refOf, type RestEntry } from './rest-entry.ts';

export type FormValues = Record<string, unknown>;

/** Can't clash with attribute names, which begin with a letter. */
export const NEW_KEY = '__new';

/** A component in a form. New ones have a key instead of an `id`. */
export interface ItemValues extends FormValues {
  readonly id?: number;
  readonly __component?: string;
  /** Distinguishes new items until they are saved; it is not sent. */
  readonly [NEW_KEY]?: string;
}

/** Source of values: the entry, and the lengths of its lists if they were requested. */
interface Source {
  readonly values: Readonly<Record<string, unknown>>;
  readonly counts: Readonly<Record<string, unknown>> | undefined;
  readonly place: Omit<RelationPlace, 'attribute'>;
}

function fileOf(entry: RestEntry): MediaFile {
  return flat(entry) as unknown as MediaFile;
}

function itemsOf(value: unknown): readonly ItemValues[] {
  if (Array.isArray(value)) return value as ItemValues[];
  return typeof value === 'object' && value !== null ? [value as ItemValues] : [];
}

function itemValues(
  uid: string,
  attribute: string,
  isZone: boolean,
  item: ItemValues,
  source: Source,
  index: ModelIndex,
): ItemValues {
  const counts = itemsOf(source.counts?.[attribute]).find(
    (other) => other.id === item.id && other.__component === item.__component,
  );
  const step: ComponentStep = { attribute, item: item.id ?? 0, ...(isZone && { zoneComponent: uid }) };
  const place = { ...source.place, steps: [...source.place.steps, step] };
  const values = valuesOf(index.component(uid).attributes, { values: item, counts, place }, index);
  return { ...values, ...(item.id !== undefined && { id: item.id }), ...(isZone && { __component: uid }) };
}

function refToSeveral(entry: RestEntry, index: ModelIndex): EntryRef {
  return refOf(entry, index.type(String(flat(entry)['__type'])), true);
}

function relationValue(
  name: string,
  attribute: Attribute & { type: 'relation' },
  source: Source,
  index: ModelIndex,
): unknown {
  const value = source.values[name];
  // Responses omit what the role may not see; so does the form.
  if (value === undefined) return undefined;
  const isMorph = isPolymorphic(attribute);
  const target = index.type(attribute.target);
  const ref = (entry: RestEntry): EntryRef => (isMorph ? refToSeveral(entry, index) : refOf(entry, target));
  if (!attribute.multiple) {
    const one = populatedOne(value);
    return one ? ref(one) : null;
  }
  const head = populatedMany(value).map(ref);
  const total = head.length < PAGE || isMorph ? head.length : (populatedCount(source.counts?.[name]) ?? head.length);
  return listOf(total, head, { ...source.place, attribute: name });
}

function valueOf(name: string, attribute: Attribute, source: Source, index: ModelIndex): unknown {
  const value = source.values[name];
  switch (attribute.type) {
    case 'media': {
      if (value === undefined) return undefined;
      if (attribute.multiple) return populatedMany(value).map(fileOf);
      const one = populatedOne(value);
      return one ? fileOf(one) : null;
    }
    case 'component': {
      const items = itemsOf(value).map((item) => itemValues(attribute.component, name, false, item, source, index));
      return attribute.repeatable ? items : (items[0] ?? null);
    }
    case 'dynamiczone':
      return itemsOf(value).map((item) => itemValues(String(item.__component), name, true, item, source, index));
    case 'relation':
      return relationValue(name, attribute, source, index);
    default:
      return value;
  }
}

function valuesOf(attributes: Attributes, source: Source, index: ModelIndex): FormValues {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => [name, valueOf(name, attribute, source, index)]),
  );
}

/** The values of a form; `counts` is the response to `countQuery`. */
export function formValues(
  attributes: Attributes,
  entry: RestEntry,
  counts: RestEntry | undefined,
  place: Pick<RelationPlace, 'endpoint' | 'id' | 'locale'>,
  index: ModelIndex,
): FormValues {
  const source = { values: flat(entry), counts: counts && flat(counts), place: { ...place, steps: [] } };
  return valuesOf(attributes, source, index);
}

let keys = 0;

/** Marks values as those of a new component. `uid` only for items of a dynamic zone. */
export function newItem(values: FormValues, uid?: string): ItemValues {
  keys += 1;
  // The time distinguishes them from the keys of items that were restored after a reload.
  const key = `${Date.now()}-${keys}`;
  return { ...values, ...(uid !== undefined && { __component: uid }), [NEW_KEY]: key };
}

/** The values of a new entry or component. */
export function newValues(attributes: Attributes): FormValues {
  return Object.fromEntries(Object.entries(attributes).map(([name, attribute]) => [name, newValue(attribute)]));
}

function newValue(attribute: Attribute): unknown {
  switch (attribute.type) {
    case 'media':
      return attribute.multiple ? [] : null;
    case 'component':
      return attribute.repeatable ? [] : null;
    case 'dynamiczone':
      return [];
    case 'relation':
      return attribute.multiple ? listOf(0, []) : null;
    default:
      return attribute.default ?? null;
  }
}
