/** Passwords inside of components. */
import type { ContentTypes } from '../content-type.ts';
import { hashPassword } from '../values/password.ts';
import {
  byName,
  componentOf,
  isItemAttribute,
  itemsInside,
  itemsOf,
  valueOf,
  type Attributes,
  type ItemAttribute,
  type Values,
} from './item-attributes.ts';

function hasPasswords(types: ContentTypes, attribute: ItemAttribute, value: unknown): boolean {
  for (const { component, item } of itemsInside(types, attribute, value, byName)) {
    const isSet = ([name, { type }]: [string, { type: string }]) =>
      type === 'password' && typeof valueOf(item, name) === 'string';
    if (Object.entries(component.attributes).some(isSet)) return true;
  }
  return false;
}

async function hashItems(types: ContentTypes, attribute: ItemAttribute, value: unknown): Promise<unknown> {
  const hashed: Values[] = [];
  for (const item of itemsOf(value)) {
    const component = componentOf(types, attribute, item);
    hashed.push(component ? await hashPasswords(types, component.attributes, item) : item);
  }
  return Array.isArray(value) ? hashed : hashed[0];
}

/**
 * The values of an entry or item with every password in them hashed, at every depth; one after the other, so that one request
 * takes no more than one processor. It takes long: not for a transaction.
 */
export async function hashPasswords(types: ContentTypes, attributes: Attributes, values: Values): Promise<Values> {
  const hashed: Record<string, unknown> = { ...values };
  for (const [name, attribute] of Object.entries(attributes)) {
    const value = valueOf(values, name);
    if (attribute.type === 'password' && typeof value === 'string') hashed[name] = await hashPassword(value);
    else if (isItemAttribute(attribute) && hasPasswords(types, attribute, value)) {
      hashed[name] = await hashItems(types, attribute, value);
    }
  }
  return hashed;
}
