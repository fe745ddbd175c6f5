/**
 * Merges the components in a request with the stored ones: items with an id are updated in place, items without one are
 * created, and stored items that the request doesn't contain are removed. Pure.
 */
import { isDeepStrictEqual } from 'node:util';
import type {
  Attribute,
  Component,
  ContentTypes,
  MediaAttribute,
  RelationAttribute,
  ScalarAttribute,
} from '../../contract/content-type.ts';
import { conditionNames, describeCondition, isVisible } from '../../contract/visibility.ts';
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
  /** Whether all locales of the entry share the item. */
  readonly isShared: boolean;
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
  /** Whether attributes that become visible must have their required values. */
  readonly requires: boolean;
  /** Whether the entry will be a draft, in which uids wait for the values that they are made from. */
  readonly isDraft: boolean;
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
export function createMerge(types: ContentTypes, { requires, isDraft }: Pick<Merge, 'requires' | 'isDraft'>): Merge {
  return { types, requires, isDraft, issues: createIssueList(), created: [], removed: [], links: [], unique: [] };
}

/** Where items are: their attribute, its stored value, and its path in the request. */
interface Place {
  readonly attribute: ItemAttribute;
  readonly stored: unknown;
  readonly path: ErrorPath;
  /** Whether all locales of the entry share the items. */
  readonly isShared: boolean;
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

function mergeScalar(merge: Merge, sent: SentScalar, value: unknown): void {
  const { item, attribute } = sent;
  if (value !== undefined) setMember(item, attribute.column, value);
  if (isUnique(attribute) && value !== undefined && value !== null) merge.unique.push(sent);
}

/** Whether a required uid without a value is made now. That of a draft waits for its target. */
function isMade({ isDraft }: Merge, { attributes }: Component, attribute: Attribute, item: Values): boolean {
  if (attribute.type !== 'uid' || !attribute.required) return false;
  if ((valueOf(item, attribute.column) ?? null) !== null) return false;
  const target = attribute.targetField === undefined ? undefined : attributes[attribute.targetField];
  if (!isDraft || !target || isLinkAttribute(target)) return true;
  return (valueOf(item, target.column) ?? '') !== '';
}

function mergeItem(merge: Merge, place: Place, component: Component, given: Values, before: Values | undefined) {
  const { isShared } = place;
  const item = startItem(merge, place, component, before);
  for (const [name, attribute] of Object.entries(component.attributes)) {
    const value = valueOf(given, name);
    const path = [...place.path, name];
    if (isLinkAttribute(attribute)) {
      if (isRelationChange(value)) merge.links.push({ item, name, attribute, change: value, isShared });
    } else if (!isItemAttribute(attribute)) {
      mergeScalar(merge, { component, name, attribute, item, path }, value);
    } else if (value !== undefined) {
      const stored = before && valueOf(before, attribute.column);
      setMember(item, attribute.column, mergeItems(merge, { attribute, stored, path, isShared }, value));
    }
  }
  for (const [name, attribute] of Object.entries(component.attributes)) {
    if (isLinkAttribute(attribute) || isItemAttribute(attribute)) continue;
    const sent = { component, name, attribute, item, path: [...place.path, name] };
    if (isMade(merge, component, attribute, item)) merge.unique.push(sent);
  }
  if (before) checkConditions(merge, place, component, { given, before, item });
  return item;
}

interface ChangedItem {
  readonly given: Values;
  readonly before: Values;
  readonly item: DraftItem;
}

/** Whether a sent value sets something that the stored item does not have. */
function isNewValue(attribute: Attribute, value: unknown, before: Values): boolean {
  if (isRelationChange(value)) return value.kind === 'set' ? value.targets.length > 0 : value.connect.length > 0;
  if (value === undefined || value === null || isLinkAttribute(attribute)) return false;
  return !isDeepStrictEqual(value, valueOf(before, attribute.column));
}

/** Checks the attributes with conditions of an updated item. New items were checked as a whole, by their validators. */
function checkConditions(
  { issues, requires }: Merge,
  { path }: Place,
  { attributes }: Component,
  { given, before, item }: ChangedItem,
): void {
  const member = (name: string): unknown => {
    const attribute = attributes[name];
    return attribute && !isLinkAttribute(attribute) ? item[attribute.column] : undefined;
  };
  for (const [name, attribute] of Object.entries(attributes)) {
    const { visible } = attribute;
    if (!visible) continue;
    const isShown = isVisible(attributes, name, member);
    const isSent = [name, ...conditionNames(visible)].some((one) => valueOf(given, one) !== undefined);
    const lacksValue = !isLinkAttribute(attribute) && (member(name) ?? null) === null;
    if (!isShown && isNewValue(attribute, valueOf(given, name), before)) {
      issues.add([...path, name], `is only taken where ${describeCondition(visible)}`);
    } else if (isShown && isSent && requires && visible.required && lacksValue) {
      issues.add([...path, name], `must be defined where ${describeCondition(visible)}`);
    }
  }
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
