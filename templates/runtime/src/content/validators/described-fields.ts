/** Builds validators from descriptors, for attributes without generated code. */
import {
  type Attribute,
  type Component,
  type ContentTypes,
  isMorphInverse,
  type RelationAttribute,
} from '../../contract/content-type.ts';
import { componentNamed, type Attributes as Described } from '../../contract/item-attributes.ts';
import type { Attributes } from './attributes.ts';
import { component, dynamicZone } from './component-fields.ts';
import { type Field, type Fields, notWritable, visible } from './field.ts';
import { media, otherSide, relation } from './relation-fields.ts';
import { scalarField } from './scalar-field.ts';

function relationField(attribute: RelationAttribute): Field {
  const { many, target = '', inverse = '', storage, required = false } = attribute;
  if (isMorphInverse(attribute.relation)) return otherSide(`${target}.${inverse}`);
  if (storage.kind !== 'morph') return relation({ many, targets: [target], required });
  return relation({ many, targets: Object.keys(storage.targets), morph: true, required });
}

function componentFields(types: ContentTypes, uid: string): () => Attributes {
  return () => {
    const found: Component | undefined = componentNamed(types, uid);
    if (!found) throw new Error(`There is no component ${uid}`);
    return { fields: describedFields(types, found.attributes) };
  };
}

function openField(types: ContentTypes, attribute: Attribute): Field {
  switch (attribute.type) {
    case 'relation':
      return relationField(attribute);
    case 'media':
      return media({ many: attribute.many, required: attribute.required ?? false });
    case 'component': {
      const { component: uid, type: _type, ...options } = attribute;
      return component(componentFields(types, uid), options);
    }
    case 'dynamiczone': {
      const { components, type: _type, ...options } = attribute;
      const sources = components.map((uid) => [uid, componentFields(types, uid)] as const);
      return dynamicZone(Object.fromEntries(sources), options);
    }
    default:
      return scalarField(attribute.type, attribute);
  }
}

/** The validators of attributes, by name, built from their descriptors. */
export function describedFields(types: ContentTypes, attributes: Described): Fields {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => {
      const field = openField(types, attribute);
      const isRefused =
        attribute.writable === false && !(attribute.type === 'relation' && isMorphInverse(attribute.relation));
      const own = isRefused ? notWritable(field) : field;
      return [name, attribute.visible ? visible(attribute.visible, own) : own];
    }),
  );
}
