/** Attributes that hold component items, and the items that a request gives them. */
import type {
  Attribute,
  Component,
  ComponentAttribute,
  ContentTypes,
  DynamicZoneAttribute,
  MediaAttribute,
  RelationAttribute,
  ScalarAttribute,
} from '../content-type.ts';

/** What the validators answer for an entry or item: canonical values by attribute; of items also `id` and `__component`. */
export type Values = Readonly<Record<string, unknown>>;

export type Attributes = Readonly<Record<string, Attribute>>;

export type ItemAttribute = ComponentAttribute | DynamicZoneAttribute;

export function isItemAttribute(attribute: Attribute): attribute is ItemAttribute {
  return attribute.type === 'component' || attribute.type === 'dynamiczone';
}

export function isLinkAttribute(attribute: Attribute): attribute is RelationAttribute | MediaAttribute {
  return attribute.type === 'relation' || attribute.type === 'media';
}

export function isScalarAttribute(attribute: Attribute): attribute is ScalarAttribute {
  return !isItemAttribute(attribute) && !isLinkAttribute(attribute);
}

/** Whether the value is a list of items, not one item or null. */
export function isList(attribute: ItemAttribute): boolean {
  return attribute.type === 'dynamiczone' || attribute.repeatable;
}

export function componentNamed(types: ContentTypes, uid: string): Component | undefined {
  return Object.hasOwn(types.components, uid) ? types.components[uid] : undefined;
}

/** What an item of the attribute is, sent or stored; undefined if the server has no such component any more. */
export function componentOf(types: ContentTypes, attribute: ItemAttribute, item: Values): Component | undefined {
  if (attribute.type === 'component') return componentNamed(types, attribute.component);
  const uid = item['__component'];
  return typeof uid === 'string' ? componentNamed(types, uid) : undefined;
}

/** Own members only: the names of attributes may be those of what every object inherits. */
export function valueOf(values: Values, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function isItem(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The items of a value: none of null, one or several. */
export function itemsOf(value: unknown): readonly Values[] {
  if (Array.isArray(value)) return value.filter(isItem);
  return isItem(value) ? [value] : [];
}

/** An item, and what it is. */
export interface KnownItem {
  readonly component: Component;
  readonly item: Values;
}

/** How an attribute is named in the values: those of a request by its name, stored ones by its column. */
export type KeyOf = (name: string, attribute: ItemAttribute) => string;

/** By name, as requests say it. */
export const byName: KeyOf = (name) => name;

/** By column, as it is stored. */
export const byColumn: KeyOf = (_name, { column }) => column;

/** All items in one value of an attribute, each before those inside of it. */
export function* itemsInside(
  types: ContentTypes,
  attribute: ItemAttribute,
  value: unknown,
  key: KeyOf,
): Generator<KnownItem> {
  for (const item of itemsOf(value)) {
    const component = componentOf(types, attribute, item);
    if (!component) continue;
    yield { component, item };
    for (const [name, inner] of Object.entries(component.attributes)) {
      if (isItemAttribute(inner)) yield* itemsInside(types, inner, valueOf(item, key(name, inner)), key);
    }
  }
}
