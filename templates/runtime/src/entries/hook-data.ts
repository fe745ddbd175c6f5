/** The `data` of before-hooks: validated and cast values, with relations in one form. */
import { type Attributes, componentOf, type Values } from '../contract/item-attributes.ts';
import type { Attribute, ContentTypes } from '../contract/content-type.ts';
import type { RelationChanges, RelationElement, RelationPosition } from '../contract/entry.ts';
import {
  type Connect,
  type EntryRef,
  isRelationChange,
  type Position,
  type RelationChange,
} from '../content/relations/relation-change.ts';
import { isRecord } from '../content/validators/attributes.ts';

/** Only polymorphic relations name the type of an entry. */
function isPolymorphic(attribute: Attribute): boolean {
  return attribute.type === 'relation' && attribute.storage.kind === 'morph';
}

/** Undefined for the end, where entries go without a position. */
function positionOf(position: Position, elementOf: (ref: EntryRef) => RelationElement): RelationPosition | undefined {
  switch (position.kind) {
    case 'end':
      return undefined;
    case 'start':
      return { start: true };
    case 'before':
      return { before: elementOf(position.anchor) };
    case 'after':
      return { after: elementOf(position.anchor) };
  }
}

function normalForm(change: RelationChange, attribute: Attribute): RelationChanges {
  const elementOf = ({ id, type }: EntryRef): RelationElement => (isPolymorphic(attribute) ? { id, type } : id);
  const connectOf = (connect: Connect) => {
    const position = positionOf(connect.position, elementOf);
    const element = elementOf(connect);
    if (position === undefined) return element;
    return typeof element === 'number' ? { id: element, position } : { ...element, position };
  };
  if (change.kind === 'set') return { set: change.targets.map(elementOf) };
  return { connect: change.connect.map(connectOf), disconnect: change.disconnect.map(elementOf) };
}

function hookValue(types: ContentTypes, attribute: Attribute | undefined, value: unknown): unknown {
  if (attribute === undefined) return value;
  if (isRelationChange(value)) return normalForm(value, attribute);
  if (attribute.type !== 'component' && attribute.type !== 'dynamiczone') return value;
  if (Array.isArray(value)) return value.map((item) => hookValue(types, attribute, item));
  if (!isRecord(value)) return value;
  const component = componentOf(types, attribute, value);
  return component ? hookData(types, component.attributes, value) : value;
}

/** Validated values in the form for hooks. */
export function hookData(types: ContentTypes, attributes: Attributes, checked: Values): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(checked).map(([name, value]) => {
      const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
      return [name, hookValue(types, attribute, value)];
    }),
  );
}
