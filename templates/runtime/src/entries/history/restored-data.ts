/** The data of an update that gives an entry the content of a version. */
import { isDeepStrictEqual } from 'node:util';
import {
  type Attribute,
  type ContentTypes,
  isInverseStorage,
  type RelationAttribute,
} from '../../contract/content-type.ts';
import { type ErrorPath, ValidationError } from '../../contract/errors.ts';
import { attributeType } from '../../contract/attribute-types/scalar-type.ts';
import { isScalarAttribute } from '../../contract/item-attributes.ts';
import { uidOfTypeName } from '../../contract/type-name.ts';
import { isRequired } from '../../content/relations/required-sides.ts';
import { type Content, MAX_INVERSE_LISTED } from '../../query/content-text.ts';
import type { CallContext } from '../../query/entry-request.ts';
import type { HookedType } from '../context.ts';
import { missingAmong, missingIssues, type Referred } from './missing-entries.ts';

interface Restoring {
  readonly context: HookedType;
  readonly call: CallContext;
  /** Whether what is gone or hidden is left out. */
  readonly ignoresMissing: boolean;
}

type Attributes = Readonly<Record<string, Attribute>>;

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === null || value === undefined ? [] : [value];
}

/** Whether entries on the other side must have the relation: they can't be left without it, and are not taken from others. */
function isNeeded({ types }: ContentTypes, { storage, target = '', inverse }: RelationAttribute): boolean {
  const type = types[target];
  return isInverseStorage(storage) && inverse !== undefined && type !== undefined && isRequired(type, inverse);
}

/** Whether a request may give the attribute the value. The server's own attributes stay as they are. */
function isRestored(types: ContentTypes, attribute: Attribute, value: unknown): boolean {
  if (attribute.writable === false) return false;
  if (isScalarAttribute(attribute)) return !attributeType(attribute.type).isSecret;
  if (attribute.type !== 'relation') return true;
  const { storage } = attribute;
  if (storage.kind === 'inverseMorph' || isNeeded(types, attribute)) return false;
  // Lists that were too long to be kept stay as they are, too.
  return !(isInverseStorage(storage) && listOf(value).length > MAX_INVERSE_LISTED);
}

/** The entries that one value leads to. */
function referredBy(attribute: Attribute, value: unknown, path: ErrorPath): Referred[] {
  if (attribute.type === 'media') return listOf(value).map((id) => ({ uid: 'file', id: Number(id), path }));
  if (attribute.type !== 'relation') return [];
  const { target } = attribute;
  return listOf(value).map((one) => {
    if (typeof one !== 'object' || one === null) return { uid: target ?? '', id: Number(one), path };
    const { __type: name, id } = one as { readonly __type: string; readonly id: number };
    return { uid: uidOfTypeName(name), id, path };
  });
}

/** Walks through the values of an entry and of its items. */
function eachValue(
  types: ContentTypes,
  attributes: Attributes,
  content: Content,
  path: ErrorPath,
  visit: (attribute: Attribute, value: unknown, path: ErrorPath) => void,
): void {
  for (const [name, attribute] of Object.entries(attributes)) {
    const value = content[name];
    const at = [...path, name];
    visit(attribute, value, at);
    if (attribute.type !== 'component' && attribute.type !== 'dynamiczone') continue;
    for (const item of listOf(value) as readonly Content[]) {
      const uid = attribute.type === 'component' ? attribute.component : String(item['__component']);
      eachValue(types, types.components[uid]?.attributes ?? {}, item, at, visit);
    }
  }
}

function keyOf({ uid, id }: Pick<Referred, 'uid' | 'id'>): string {
  return `${uid} ${id}`;
}

/** The ids of all items in a value: an item can keep its id only where it still is. */
function itemIds(value: unknown): ReadonlySet<unknown> {
  const ids = new Set<unknown>();
  const walk = (one: unknown): void => {
    if (typeof one !== 'object' || one === null) return;
    if (!Array.isArray(one) && 'id' in one) ids.add(one.id);
    for (const inner of Object.values(one)) walk(inner);
  };
  walk(value);
  return ids;
}

interface Writing {
  readonly types: ContentTypes;
  readonly isGone: (one: Pick<Referred, 'uid' | 'id'>) => boolean;
  readonly keptItems: ReadonlySet<unknown>;
}

function writtenItem(writing: Writing, attribute: Attribute, item: Content): Content | undefined {
  const uid = attribute.type === 'component' ? attribute.component : String(item['__component']);
  if (attribute.type === 'dynamiczone' && !attribute.components.includes(uid)) return undefined;
  const { id } = item;
  return {
    ...(writing.keptItems.has(id) && { id }),
    ...(attribute.type === 'dynamiczone' && { __component: uid }),
    ...writtenValues(writing, writing.types.components[uid]?.attributes ?? {}, item),
  };
}

function writtenValue(writing: Writing, attribute: Attribute, value: unknown): unknown {
  if (attribute.type === 'component' || attribute.type === 'dynamiczone') {
    const items = listOf(value).flatMap((item) => writtenItem(writing, attribute, item as Content) ?? []);
    return attribute.type === 'dynamiczone' || attribute.repeatable ? items : (items[0] ?? null);
  }
  if (attribute.type !== 'relation' && attribute.type !== 'media') return value ?? null;
  const kept = listOf(value).filter((one) => referredBy(attribute, one, []).every((each) => !writing.isGone(each)));
  return attribute.many ? kept : (kept[0] ?? null);
}

function writtenValues(writing: Writing, attributes: Attributes, content: Content): Content {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, attribute]) => {
      const value = content[name];
      if (value === undefined || !isRestored(writing.types, attribute, value)) return [];
      return [[name, writtenValue(writing, attribute, value)]];
    }),
  );
}

/** The attributes that differ, as an update gives them. Throws ValidationError that names what is gone or hidden from the caller. */
export async function restoredData(
  { context, call, ignoresMissing }: Restoring,
  attributes: Attributes,
  { former, current }: { readonly former: Content; readonly current: Content },
): Promise<Content> {
  const { types } = context;
  const changed = Object.entries(attributes).filter(
    ([name, attribute]) =>
      former[name] !== undefined &&
      isRestored(types, attribute, former[name]) &&
      !isDeepStrictEqual(former[name], current[name]),
  );
  const own = Object.fromEntries(changed);
  const referred: Referred[] = [];
  eachValue(types, own, former, [], (attribute, value, path) => {
    referred.push(...referredBy(attribute, value, path));
  });
  const missing = await missingAmong(context, referred, call);
  if (missing.length > 0 && !ignoresMissing) throw new ValidationError(missingIssues(missing));
  const gone = new Set(missing.map(keyOf));
  const data: Record<string, unknown> = {};
  for (const [name, attribute] of changed) {
    const writing: Writing = {
      types,
      isGone: (one) => gone.has(keyOf(one)),
      keptItems: itemIds(current[name]),
    };
    data[name] = writtenValue(writing, attribute, former[name]);
  }
  return data;
}
