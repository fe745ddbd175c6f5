/** Attributes that hold component items, and the items in their values. */
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

/** What the validators return for an entry or item: attribute → canonical value; items also have `id` and `__component`. */
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

/** Attributes grouped by what they hold, and those with conditions; each group in the original order. */
interface AttributeKinds {
  readonly scalars: Named<ScalarAttribute>;
  readonly links: Named<RelationAttribute | MediaAttribute>;
  readonly items: Named<ItemAttribute>;
  /** Those that are only visible under a condition. */
  readonly conditional: Named<Attribute>;
}

const kinds = new WeakMap<Attributes, AttributeKinds>();

function only<A extends Attribute>(attributes: Attributes, is: (attribute: Attribute) => attribute is A): Named<A> {
  return Object.entries(attributes).filter((named): named is [string, A] => is(named[1]));
}

/** The groups of the attributes of a type or component. Cached. */
export function kindsOf(attributes: Attributes): AttributeKinds {
  const known = kinds.get(attributes) ?? {
    scalars: only(attributes, isScalarAttribute),
    links: only(attributes, isLinkAttribute),
    items: only(attributes, isItemAttribute),
    conditional: Object.entries(attributes).filter(([, { visible }]) => visible !== undefined),
  };
  kinds.set(attributes, known);
  return known;
}

/** Whether the value is a list of items, rather than one item or null. */
export function isList(attribute: ItemAttribute): boolean {
  return attribute.type === 'dynamiczone' || attribute.repeatable;
}

export function componentNamed(types: ContentTypes, uid: string): Component | undefined {
  return Object.hasOwn(types.components, uid) ? types.components[uid] : undefined;
}

/** The component of an item, received or stored; undefined if the server no longer has that component. */
export function componentOf(types: ContentTypes, attribute: ItemAttribute, item: Values): Component | undefined {
  if (attribute.type === 'component') return componentNamed(types, attribute.component);
  const uid = item['__component'];
  return typeof uid === 'string' ? componentNamed(types, uid) : undefined;
}

/** The value of an attribute. Own properties only: attributes may be named like members of `Object.prototype`. */
export function valueOf(values: Values, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function isItem(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The items of a value: none for null, otherwise one or several. */
export function itemsOf(value: unknown): readonly Values[] {
  if (Array.isArray(value)) return value.filter(isItem);
  return isItem(value) ? [value] : [];
}

/** An item with its component. */
export interface KnownItem {
  readonly component: Component;
  readonly item: Values;
}

/** The key of an attribute in values. */
export type KeyOf = (name: string, attribute: ItemAttribute) => string;

/** For values in requests: the attribute's name. */
export const byName: KeyOf = (name) => name;

/** For stored values: the attribute's column. */
export const byColumn: KeyOf = (_name, { column }) => column;

/** All items in one value of an attribute, in depth-first order, parents first. */
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
