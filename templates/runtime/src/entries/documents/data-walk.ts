/**
 * Converts the `data` of a request in the v5 format for the validators: refuses unknown names, and replaces document ids by ids.
 * The values themselves are left to the validators.
 */
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
import type { UnknownKeys } from './unknown-keys.ts';

/** The parameters of a walk. */
export interface Walk {
  readonly types: ContentTypes;
  /** The attributes of the entry. */
  readonly attributes: Attributes;
  readonly resolve: Resolve;
  /** Collects the keys that are not allowed. */
  readonly unknown: UnknownKeys;
  /** Whether names of no attribute are left to the validators. */
  readonly keepsUnknown: boolean;
  /** Whether attributes that no body may set are allowed: only for the server's own code. */
  readonly setsAll: boolean;
}

/** Names that bodies may contain, but that are ignored. */
const IGNORED: ReadonlySet<string> = new Set(['publishedAt', 'locale']);
/** Names reported without a path, even at the top level. */
const WITHOUT_PATH: ReadonlySet<string> = new Set(['id', 'documentId']);
/** Strapi's own attributes, which no body may set: at the top level, each is reported with its name as the path. */
const OWN_PATH: ReadonlySet<string> = new Set(['createdAt', 'updatedAt', 'createdBy', 'updatedBy', 'localizations']);

/** The path in the error about a name, if it is not that of the object. */
function reportedPath(name: string, path: readonly string[]): { readonly reported?: string | undefined } {
  if (WITHOUT_PATH.has(name)) return { reported: undefined };
  return OWN_PATH.has(name) && path.length === 0 ? { reported: name } : {};
}

function isOpen({ setsAll }: Walk, { writable }: Attribute): boolean {
  return writable !== false || setsAll;
}

function openNames(walk: Walk, attributes: Attributes): string[] {
  return Object.entries(attributes).flatMap(([name, attribute]) => (isOpen(walk, attribute) ? [name] : []));
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
  if (isLinkAttribute(attribute)) {
    // Items have the locales of the attribute of the entry that contains them.
    const isShared = walk.attributes[path[0] ?? '']?.shared === true;
    return relationValue(walk, attribute, value, { path, isShared });
  }
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
    if (attribute && isOpen(walk, attribute)) {
      entries.push([name, attributeData(walk, attribute, value, [...path, name])]);
    } else if (kept.has(name) || walk.keepsUnknown) entries.push([name, value]);
    else if (path.length > 0 || !IGNORED.has(name)) {
      walk.unknown.add({ key: name, path, known: () => openNames(walk, attributes), ...reportedPath(name, path) });
    }
  }
  return Object.fromEntries(entries);
}

const NONE: ReadonlySet<string> = new Set();

/** Throws what `resolve` throws. Data that is not an object is left to the validators to refuse. */
export function walkData(walk: Walk, data: unknown): unknown {
  return isRecord(data) ? attributesData(walk, walk.attributes, data, { path: [], kept: NONE }) : data;
}
