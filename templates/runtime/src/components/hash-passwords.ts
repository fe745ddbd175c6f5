/** Passwords inside of components. */
import type { ContentTypes } from '../content-type.ts';
import { hashPassword } from '../values/password.ts';
import {
  byName,
  componentOf,
  itemsInside,
  itemsOf,
  kindsOf,
  valueOf,
  type Attributes,
  type ItemAttribute,
  type Values,
} from './item-attributes.ts';

/** The names and texts of the passwords that are given. */
function passwordsIn(attributes: Attributes, values: Values): [string, string][] {
  return kindsOf(attributes).scalars.flatMap(([name, { type }]): [string, string][] => {
    const value = type === 'password' ? valueOf(values, name) : undefined;
    return typeof value === 'string' ? [[name, value]] : [];
  });
}

function hasPasswords(types: ContentTypes, attribute: ItemAttribute, value: unknown): boolean {
  for (const { component, item } of itemsInside(types, attribute, value, byName)) {
    if (passwordsIn(component.attributes, item).length > 0) return true;
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
  for (const [name, password] of passwordsIn(attributes, values)) hashed[name] = await hashPassword(password);
  for (const [name, attribute] of kindsOf(attributes).items) {
    const value = valueOf(values, name);
    if (hasPasswords(types, attribute, value)) hashed[name] = await hashItems(types, attribute, value);
  }
  return hashed;
}
