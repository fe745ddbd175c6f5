/**
 * Merges the components in a request with the stored ones: items with an id are updated in place, items without one are
 * created, and stored items that the request doesn't contain are removed. Pure.
 */
import type {
  Component,
  ContentTypes,
  MediaAttribute,
  RelationAttribute,
  ScalarAttribute,
} from '../../contract/content-type.ts';
import { attributeType } from '../../contract/attribute-types/scalar-type.ts';
import type { ErrorPath } from '../../contract/errors.ts';
import { createIssueList, type IssueList } from '../relations/issue-list.ts';
import { isRelationChange, type RelationChange } from '../relations/relation-change.ts';
import {
  byColumn,
  componentOf,
  isItemAttribute,
  isLinkAttribute,
  isList,
  type ItemAttribute,
  itemsInside,
  itemsOf,
  valueOf,
  type Values,
} from '../../contract/item-attributes.ts';

/**
 * An item as it will be stored: its `id`, its `__component` in a dynamic zone, and its attributes by column; those without a value
 * are absent. A new item gets its id only after the whole request has been validated.
 */
export interface DraftItem {
  id: number | undefined;
  [member: string]: unknown;
}

/** A change of a relation or media attribute of an item. */
export interface LinkChange {
  readonly item: DraftItem;
  readonly name: string;
  readonly attribute: RelationAttribute | MediaAttribute;
  readonly change: RelationChange;
}

/** A scalar attribute of an item with the value in the request, or without one (undefined) if the server has to generate it. */
export interface SentScalar {
  readonly component: Component;
  readonly name: string;
  readonly attribute: ScalarAttribute;
  readonly item: DraftItem;
  readonly path: ErrorPath;
}

/** The result of merging all component attributes in a request. */
export interface Merge {
  readonly types: ContentTypes;
  readonly issues: IssueList;
  /** In the order in which they get their ids. */
  readonly created: DraftItem[];
  /** Ids of removed items. */
  readonly removed: number[];
  readonly links: LinkChange[];
  /** Values that must be unique. */
  readonly unique: SentScalar[];
}

/** An empty merge, to be filled by `mergeItems`. */
export function createMerge(types: ContentTypes): Merge {
  return { types, issues: createIssueList(), created: [], removed: [], links: [], unique: [] };
}

/** Where items are: their attribute, its stored value, and its path in the request. */
interface Place {
  readonly attribute: ItemAttribute;
  readonly stored: unknown;
  readonly path: ErrorPath;
}

function setMember(item: DraftItem, column: string, value: unknown): void {
  if (value === null || value === undefined) delete item[column];
  else item[column] = value;
}

/** The stored item to update; undefined for a new item. Reports an issue for an id that this attribute doesn't contain. */
function changedItem(
  { types, issues }: Merge,
  { attribute }: Place,
  given: Values,
  stored: ReadonlyMap<unknown, Values>,
  path: ErrorPath,
): Values | undefined {
  const id = valueOf(given, 'id');
  if (id === undefined) return undefined;
  const found = stored.get(id);
  const uid = found && componentOf(types, attribute, found)?.uid;
  if (uid !== undefined && uid === componentOf(types, attribute, given)?.uid) return found;
  issues.add([...path, 'id'], 'is not the id of a component that this entry has here');
  return undefined;
}

function startItem(merge: Merge, { attribute }: Place, component: Component, stored: Values | undefined): DraftItem {
  if (stored) return { ...stored, id: Number(stored['id']) };
  const item: DraftItem = { id: undefined };
  if (attribute.type === 'dynamiczone') item['__component'] = component.uid;
  merge.created.push(item);
  return item;
}

/** Whether values must be unique. `unique` is ignored for booleans: it would limit a list to two items. */
function isUnique({ type, unique }: ScalarAttribute): boolean {
  const { canBeUnique, columnType } = attributeType(type);
  return type === 'uid' || (unique === true && canBeUnique && columnType !== 'boolean');
}

function mergeScalar(merge: Merge, sent: SentScalar, value: unknown, isNew: boolean): void {
  const { item, attribute } = sent;
  if (value !== undefined) setMember(item, attribute.column, value);
  const isMade = isNew && attribute.type === 'uid' && attribute.required === true && (value ?? null) === null;
  if (isMade || (isUnique(attribute) && value !== undefined && value !== null)) merge.unique.push(sent);
}

function mergeItem(merge: Merge, place: Place, component: Component, given: Values, before: Values | undefined) {
  const item = startItem(merge, place, component, before);
  for (const [name, attribute] of Object.entries(component.attributes)) {
    const value = valueOf(given, name);
    const path = [...place.path, name];
    if (isLinkAttribute(attribute)) {
      if (isRelationChange(value)) merge.links.push({ item, name, attribute, change: value });
    } else if (!isItemAttribute(attribute)) {
      mergeScalar(merge, { component, name, attribute, item, path }, value, !before);
    } else if (value !== undefined) {
      const stored = before && valueOf(before, attribute.column);
      setMember(item, attribute.column, mergeItems(merge, { attribute, stored, path }, value));
    }
  }
  return item;
}

function removeItems({ types, removed }: Merge, attribute: ItemAttribute, items: readonly Values[]): void {
  for (const { item } of itemsInside(types, attribute, items, byColumn)) removed.push(Number(item['id']));
}

/** The value to store for an attribute that was sent: an item, a list of items, or null. */
export function mergeItems(merge: Merge, place: Place, value: unknown): DraftItem | readonly DraftItem[] | null {
  const { attribute, path } = place;
  const stored = itemsOf(place.stored);
  const byId = new Map(stored.map((item): [unknown, Values] => [item['id'], item]));
  const kept = new Set<Values>();
  const merged = itemsOf(value).flatMap((given, index) => {
    const own = isList(attribute) ? [...path, String(index)] : path;
    const component = componentOf(merge.types, attribute, given);
    if (!component) throw new Error(`${own.join('.')} is not a component of this server`);
    const before = changedItem(merge, place, given, byId, own);
    if (before) kept.add(before);
    return mergeItem(merge, { ...place, path: own }, component, given, before);
  });
  removeItems(
    merge,
    attribute,
    stored.filter((item) => !kept.has(item)),
  );
  return isList(attribute) ? merged : (merged[0] ?? null);
}
