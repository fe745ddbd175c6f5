/** Hashes the passwords of an entry, including those inside components. */
import { MAX_PASSWORDS } from '../../contract/limits.ts';
import type { ContentTypes } from '../../contract/content-type.ts';
import { ValidationError } from '../../contract/errors.ts';
import type { Client } from '../../base/client.ts';
import { hashPassword } from '../../base/password.ts';
import {
  type Attributes,
  byName,
  componentOf,
  type ItemAttribute,
  itemsInside,
  itemsOf,
  kindsOf,
  valueOf,
  type Values,
} from '../../contract/item-attributes.ts';

/** The passwords among the values, as [attribute name, plain text]. */
function passwordsIn(attributes: Attributes, values: Values): readonly (readonly [string, string])[] {
  const found: [string, string][] = [];
  for (const [name, { type }] of kindsOf(attributes).scalars) {
    const value = type === 'password' ? valueOf(values, name) : undefined;
    if (typeof value === 'string') found.push([name, value]);
  }
  return found;
}

function hasPasswords(types: ContentTypes, attribute: ItemAttribute, value: unknown): boolean {
  for (const { component, item } of itemsInside(types, attribute, value, byName)) {
    if (passwordsIn(component.attributes, item).length > 0) return true;
  }
  return false;
}

/**
 * The number of passwords in the values. Throws ValidationError if a request may not set that many, naming the attribute that
 * exceeds the limit.
 */
function countPasswords(types: ContentTypes, attributes: Attributes, values: Values): number {
  let count = passwordsIn(attributes, values).length;
  if (count > MAX_PASSWORDS) throw tooMany();
  for (const [name, attribute] of kindsOf(attributes).items) {
    for (const { component, item } of itemsInside(types, attribute, valueOf(values, name), byName)) {
      count += passwordsIn(component.attributes, item).length;
      if (count > MAX_PASSWORDS) throw tooMany(name);
    }
  }
  return count;
}

function tooMany(...path: readonly string[]): ValidationError {
  const message = `a request may set at most ${MAX_PASSWORDS} passwords: send the others in separate requests`;
  return new ValidationError([{ path, message: path.length > 0 ? `${path.join('.')}: ${message}` : message }]);
}

type Hash = (password: string) => Promise<string>;

async function hashItems(types: ContentTypes, attribute: ItemAttribute, value: unknown, hash: Hash): Promise<unknown> {
  const hashed: Values[] = [];
  for (const item of itemsOf(value)) {
    const component = componentOf(types, attribute, item);
    hashed.push(component ? await hashAll(types, component.attributes, item, hash) : item);
  }
  return Array.isArray(value) ? hashed : hashed[0];
}

async function hashAll(types: ContentTypes, attributes: Attributes, values: Values, hash: Hash): Promise<Values> {
  const hashed: Record<string, unknown> = { ...values };
  for (const [name, password] of passwordsIn(attributes, values)) hashed[name] = await hash(password);
  for (const [name, attribute] of kindsOf(attributes).items) {
    const value = valueOf(values, name);
    if (hasPasswords(types, attribute, value)) hashed[name] = await hashItems(types, attribute, value, hash);
  }
  return hashed;
}

/**
 * Returns the values of an entry with all passwords hashed, at every depth. They are hashed one at a time, so that a request keeps
 * at most one CPU core busy. This is slow: call it outside transactions. Throws ValidationError, before hashing anything, if
 * there are more passwords than a request may set, and ClientGoneError if the client disconnects.
 */
export async function hashPasswords(
  types: ContentTypes,
  attributes: Attributes,
  values: Values,
  client: Client | undefined,
): Promise<Values> {
  if (countPasswords(types, attributes, values) === 0) return values;
  return hashAll(types, attributes, values, (password) => hashPassword(password, { purpose: 'content', client }));
}
