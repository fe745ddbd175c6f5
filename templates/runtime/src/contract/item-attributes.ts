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
} from './content-type.ts';

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

/** Attributes with their names. */
export type Named<A extends Attribute> = readonly (readonly [name: string, attribute: A])[];

/** Attributes by what they hold, each with its name, in their order. */
interface AttributeKinds {
  readonly scalars: Named<ScalarAttribute>;
  readonly links: Named<RelationAttribute | MediaAttribute>;
  readonly items: Named<ItemAttribute>;
}

const kinds = new WeakMap<Attributes, AttributeKinds>();

function only<A extends Attribute>(attributes: Attributes, is: (attribute: Attribute) => attribute is A): Named<A> {
  return Object.entries(attributes).filter((named): named is [string, A] => is(named[1]));
}

/** The attributes of a type or a component by what they hold. Sorted once for each. */
export function kindsOf(attributes: Attributes): AttributeKinds {
  const known = kinds.get(attributes) ?? {
    scalars: only(attributes, isScalarAttribute),
    links: only(attributes, isLinkAttribute),
    items: only(attributes, isItemAttribute),
  };
  kinds.set(attributes, known);
  return known;
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
    for (const [name, inner] of kindsOf(component.attributes).items) {
      yield* itemsInside(types, inner, valueOf(item, key(name, inner)), key);
    }
  }
}
