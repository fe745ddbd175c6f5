/**
 * From the `data` of a request in the v5 format to what the validators take: strict about names, with ids in the place of document ids.
 * Values themselves are theirs to check.
 */
import { invalidKey } from '../../contract/invalid-key.ts';
import {
  type Attributes,
  componentNamed,
  isItemAttribute,
  isLinkAttribute,
  type ItemAttribute,
  valueOf,
} from '../../contract/item-attributes.ts';
import type { Attribute, ContentTypes } from '../../contract/content-type.ts';
import { isRecord } from '../../content/validators/attributes.ts';
import { relationValue, type Resolve } from './relation-data.ts';

/** What a walk needs to know. */
export interface Walk {
  readonly types: ContentTypes;
  readonly resolve: Resolve;
  /** Whether attributes that no body may set are known: to the server's own code. */
  readonly setsAll: boolean;
}

/** What bodies may say, and it is without effect. */
const IGNORED: ReadonlySet<string> = new Set(['publishedAt', 'locale']);
/** They have no place, not even at the top. */
const WITHOUT_PATH: ReadonlySet<string> = new Set(['id', 'documentId']);
/** Attributes in the reference product, which no body may set: they stand at their own path. */
const OWN_PATH: ReadonlySet<string> = new Set(['createdAt', 'updatedAt', 'createdBy', 'updatedBy', 'localizations']);

function pathIn(path: readonly string[]): string | null {
  return path.length > 0 ? path.join('.') : null;
}

function refuse(name: string, path: readonly string[]): never {
  const own = OWN_PATH.has(name) && path.length === 0 ? name : pathIn(path);
  throw invalidKey(name.slice(0, 100), { source: 'body', path: WITHOUT_PATH.has(name) ? undefined : own });
}

function itemData(walk: Walk, attribute: ItemAttribute, item: unknown, path: readonly string[]): unknown {
  if (!isRecord(item)) return item;
  const isZone = attribute.type === 'dynamiczone';
  const uid = isZone ? valueOf(item, '__component') : attribute.component;
  const component = typeof uid === 'string' ? componentNamed(walk.types, uid) : undefined;
  if (!component) return item;
  return attributesData(walk, component.attributes, item, {
    path,
    kept: new Set(isZone ? ['id', '__component'] : ['id']),
  });
}

function attributeData(walk: Walk, attribute: Attribute, value: unknown, path: readonly string[]): unknown {
  if (isLinkAttribute(attribute)) return relationValue(walk, attribute, value, path);
  if (!isItemAttribute(attribute)) return value;
  if (Array.isArray(value)) return value.map((item) => itemData(walk, attribute, item, path));
  return itemData(walk, attribute, value, path);
}

function attributesData(
  walk: Walk,
  attributes: Attributes,
  data: Readonly<Record<string, unknown>>,
  { path, kept }: { readonly path: readonly string[]; readonly kept: ReadonlySet<string> },
): Readonly<Record<string, unknown>> {
  const entries: (readonly [string, unknown])[] = [];
  for (const [name, value] of Object.entries(data)) {
    const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
    if (attribute && (attribute.writable !== false || walk.setsAll)) {
      entries.push([name, attributeData(walk, attribute, value, [...path, name])]);
    } else if (kept.has(name)) entries.push([name, value]);
    else if (path.length > 0 || !IGNORED.has(name)) refuse(name, path);
  }
  return Object.fromEntries(entries);
}

const NONE: ReadonlySet<string> = new Set();

/** Throws HttpError 400 for the first name that has no place. What is no object is for the validators to refuse. */
export function walkData(walk: Walk, attributes: Attributes, data: unknown): unknown {
  return isRecord(data) ? attributesData(walk, attributes, data, { path: [], kept: NONE }) : data;
}
