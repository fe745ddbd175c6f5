/** The validators of attributes, built from their descriptors. */
import {
  type Attribute,
  type Component,
  type ContentTypes,
  isMorphInverse,
  type RelationAttribute,
} from '../../contract/content-type.ts';
import { type Attributes, componentNamed } from '../../contract/item-attributes.ts';
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

function componentFields(types: ContentTypes, uid: string): () => Fields {
  return () => {
    const found: Component | undefined = componentNamed(types, uid);
    if (!found) throw new Error(`There is no component ${uid}`);
    return attributeFields(types, found.attributes);
  };
}

function openField(types: ContentTypes, attribute: Attribute): Field {
  switch (attribute.type) {
    case 'relation':
      return relationField(attribute);
    case 'media':
      return media(attribute);
    case 'component':
      return component(componentFields(types, attribute.component), attribute);
    case 'dynamiczone':
      return dynamicZone(new Map(attribute.components.map((uid) => [uid, componentFields(types, uid)])), attribute);
    default:
      return scalarField(attribute.type, attribute);
  }
}

/** The validators of attributes, by name. Throws TypeError for an invalid default or bound. */
export function attributeFields(types: ContentTypes, attributes: Attributes): Fields {
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
