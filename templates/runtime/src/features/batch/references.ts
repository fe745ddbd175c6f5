/** References of operations to the entries of earlier ones: `"$t"` stands for the id of the entry that operation `t` has written. */
import type { ContentTypes } from '../../contract/content-type.ts';
import { BadRequestError } from '../../contract/errors.ts';
import { type Attributes, componentNamed, type ItemAttribute, kindsOf } from '../../contract/item-attributes.ts';
import { isRecord } from '../../content/validators/attributes.ts';

/** Name of an operation → the id of its entry; null if the operation is refused. */
export type References = ReadonlyMap<string, number | string | null>;

const REFERENCE = /^\$(?<name>\w+)$/u;

/** A value where an id may stand. Throws BadRequestError for a reference to no earlier operation. */
function idFor(text: string, references: References): number | string {
  const name = REFERENCE.exec(text)?.groups?.['name'];
  if (name === undefined) return text;
  const id = references.get(name);
  if (id === null) throw new BadRequestError(`${text} stands for the entry of an operation that is refused itself`);
  if (id !== undefined) return id;
  throw new BadRequestError(`${text} refers to no earlier operation with the id "${name}"`);
}

/** The path with the ids of entries. */
export function pathWithIds(path: string, references: References): string {
  return path
    .split('/')
    .map((segment) => String(idFor(segment, references)))
    .join('/');
}

/** A value of a relation, in which every text is an id, or a word that is no reference. */
function linksWithIds(value: unknown, references: References): unknown {
  if (typeof value === 'string') return idFor(value, references);
  if (Array.isArray(value)) return value.map((item) => linksWithIds(item, references));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, linksWithIds(part, references)]));
}

function itemWithIds(types: ContentTypes, attribute: ItemAttribute, item: unknown, references: References): unknown {
  if (!isRecord(item)) return item;
  const uid = attribute.type === 'dynamiczone' ? item['__component'] : attribute.component;
  const component = typeof uid === 'string' ? componentNamed(types, uid) : undefined;
  return component ? dataWithIds(types, component.attributes, item, references) : item;
}

/** The data of an entry with the ids of entries in its relations. */
export function dataWithIds(
  types: ContentTypes,
  attributes: Attributes,
  data: unknown,
  references: References,
): unknown {
  if (!isRecord(data)) return data;
  const { links, items } = kindsOf(attributes);
  const resolved: Record<string, unknown> = { ...data };
  for (const [name] of links) {
    if (Object.hasOwn(data, name)) resolved[name] = linksWithIds(data[name], references);
  }
  for (const [name, attribute] of items) {
    if (!Object.hasOwn(data, name)) continue;
    const value = data[name];
    const withIds = (item: unknown): unknown => itemWithIds(types, attribute, item, references);
    resolved[name] = Array.isArray(value) ? value.map(withIds) : withIds(value);
  }
  return resolved;
}
