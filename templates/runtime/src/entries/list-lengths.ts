/** Limits the lists in the data of a request, before anything else looks at it. */
import { MAX_LISTED } from '../contract/limits.ts';
import type { ContentType, ContentTypes } from '../contract/content-type.ts';
import { ValidationError } from '../contract/errors.ts';
import { type Attributes, byName, itemsInside, kindsOf, valueOf, type Values } from '../contract/item-attributes.ts';
import type { Caller } from '../contract/policy/caller.ts';
import { sentValues } from './entry-input.ts';

/** Members of a relation's value that may be lists; `data` is that of a populated one. */
const LISTS = ['set', 'connect', 'disconnect', 'data'];

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

/** The elements of a relation's or media attribute's value. */
function elementsOf(value: unknown): number {
  const members = sentValues(value);
  return LISTS.reduce((sum, name) => sum + lengthOf(valueOf(members, name)), lengthOf(value));
}

function elementsIn(attributes: Attributes, values: Values): number {
  return kindsOf(attributes).links.reduce((sum, [name]) => sum + elementsOf(valueOf(values, name)), 0);
}

/**
 * Throws ValidationError, naming the attribute with which they exceed `MAX_LISTED`, if the lists of related entries and of components
 * have too many elements in total. The server's own code has no such limit.
 */
export function requireShortLists(
  { types, type }: { readonly types: ContentTypes; readonly type: ContentType },
  data: unknown,
  caller: Caller,
): void {
  if (caller.kind === 'server') return;
  const values = sentValues(data);
  let count = 0;
  const add = (name: string, elements: number): void => {
    count += elements;
    if (count <= MAX_LISTED) return;
    const message = `${name}: the lists of related entries and components in a request may have ${MAX_LISTED} elements in total. Add further ones with connect, in separate requests`;
    throw new ValidationError([{ path: [name], message }]);
  };
  for (const [name] of kindsOf(type.attributes).links) add(name, elementsOf(valueOf(values, name)));
  for (const [name, attribute] of kindsOf(type.attributes).items) {
    const value = valueOf(values, name);
    // Before the items are looked at.
    if (lengthOf(value) > MAX_LISTED) add(name, lengthOf(value));
    for (const { component, item } of itemsInside(types, attribute, value, byName)) {
      add(name, 1 + elementsIn(component.attributes, item));
    }
  }
}
