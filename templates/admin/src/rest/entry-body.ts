/** Converts form values to a request body with the changed attributes. */
import type { MediaFile } from '../media/media-file.ts';
import { type Attribute, type Attributes, isPolymorphic, isScalar, isWritable } from '../model/model.ts';
import type { ModelIndex } from '../model/model-context.tsx';
import { isVisible } from '../model/visibility.ts';
import type { EntryRef } from '../relations/entry-ref.ts';
import { changeOf } from '../relations/relation-change.ts';
import { isChanged, type RelationList } from '../relations/relation-list.ts';
import type { RelationPlace } from '../relations/relation-place.ts';
import type { FormValues, ItemValues } from './form-values.ts';
import { isSame } from './same-value.ts';

export type Body = Record<string, unknown>;

/** Reads the entry at an index of a relation's list. */
export type EntryAtPlace = (place: RelationPlace, index: number) => Promise<EntryRef | undefined>;

interface Context {
  readonly index: ModelIndex;
  readonly entryAt: EntryAtPlace;
}

async function listBody(list: RelationList, { entryAt }: Context): Promise<unknown> {
  const { place } = list;
  return await changeOf(list, async (at) => list.head[at] ?? (place ? await entryAt(place, at) : undefined));
}

function oneBody(attribute: Attribute & { type: 'relation' }, value: EntryRef | null): unknown {
  if (value === null) return null;
  return isPolymorphic(attribute) ? { id: value.id, type: value.type } : value.id;
}

async function itemBody(
  uid: string,
  item: ItemValues,
  before: ItemValues | undefined,
  context: Context,
): Promise<Body> {
  const body = await bodyOf(context.index.component(uid).attributes, item, before, context);
  return {
    ...(item.id !== undefined && { id: item.id }),
    ...(item.__component !== undefined && { __component: item.__component }),
    ...body,
  };
}

async function itemsBody(
  uidOf: (item: ItemValues) => string,
  items: readonly ItemValues[],
  before: readonly ItemValues[],
  context: Context,
): Promise<Body[]> {
  return await Promise.all(
    items.map(async (item) => {
      // Existing items keep the attributes that are not sent.
      const was =
        item.id === undefined
          ? undefined
          : before.find((other) => other.id === item.id && uidOf(other) === uidOf(item));
      return await itemBody(uidOf(item), item, was, context);
    }),
  );
}

async function valueBody(attribute: Attribute, value: unknown, before: unknown, context: Context): Promise<unknown> {
  switch (attribute.type) {
    case 'media':
      return Array.isArray(value)
        ? (value as MediaFile[]).map(({ id }) => id)
        : ((value as MediaFile | null)?.id ?? null);
    case 'component': {
      const uid = () => attribute.component;
      if (Array.isArray(value)) {
        return await itemsBody(uid, value as ItemValues[], (before ?? []) as ItemValues[], context);
      }
      if (value === null) return null;
      return (await itemsBody(uid, [value as ItemValues], before ? [before as ItemValues] : [], context))[0];
    }
    case 'dynamiczone':
      return await itemsBody(
        (item) => String(item.__component),
        value as ItemValues[],
        (before ?? []) as ItemValues[],
        context,
      );
    case 'relation':
      return attribute.multiple
        ? await listBody(value as RelationList, context)
        : oneBody(attribute, value as EntryRef | null);
    default:
      return value;
  }
}

/** Relation lists track their own changes; other values are compared with the stored ones. */
function hasChanged(attribute: Attribute, value: unknown, before: unknown, isNew: boolean): boolean {
  if (attribute.type === 'relation' && attribute.multiple) return isChanged(value as RelationList);
  if (isNew) {
    const hasDefault = isScalar(attribute) && attribute.default !== undefined;
    return !isSame(value, null) || (hasDefault && attribute.required !== true);
  }
  return !isSame(value, before);
}

/** The attributes of `values` that differ from `before`; without `before`, those that have a value. */
async function bodyOf(
  attributes: Attributes,
  values: FormValues,
  before: FormValues | undefined,
  context: Context,
): Promise<Body> {
  const body: Body = {};
  for (const [name, attribute] of Object.entries(attributes)) {
    const value = values[name];
    // The server keeps what is stored in attributes that are not visible.
    if (value === undefined || !isWritable(attribute) || !isVisible(attributes, name, (one) => values[one])) continue;
    if (hasChanged(attribute, value, before?.[name], before === undefined)) {
      body[name] = await valueBody(attribute, value, before?.[name], context);
    }
  }
  return body;
}

export function entryBody(
  attributes: Attributes,
  values: FormValues,
  before: FormValues | undefined,
  index: ModelIndex,
  entryAt: EntryAtPlace,
): Promise<Body> {
  return bodyOf(attributes, values, before, { index, entryAt });
}
