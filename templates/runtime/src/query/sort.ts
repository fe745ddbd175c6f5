/** `sort`: the order of entries. */
import { HOP_FACTOR } from '../contract/limits.ts';
import { BadRequestError } from '../contract/errors.ts';
import { isUnset } from './fields.ts';
import { invalidParameter, invalidValue, pathOf, unknownAttribute } from './invalid-parameter.ts';
import {
  attributesOfComponent,
  attributesOfType,
  leadingTo,
  mayFollow,
  parameterPath,
  type QueryContext,
  seenType,
  usableNames,
} from './query-context.ts';
import { isQueryArray, isQueryObject, type QueryValue, splitList } from './query-value.ts';
import type { Readable, ReadableAttributes } from './readable-attributes.ts';
import type { SortKey, SortStep } from './read-query.ts';
import { followed } from './shown-locale.ts';

/** Maximum length of an invalid order in the error message. */
const MAX_ORDER_LENGTH = 100;

interface SortItem {
  readonly path: readonly string[];
  readonly order: string;
}

function itemsOfText(text: string): SortItem[] {
  return splitList(text).map((item) => {
    const colon = item.indexOf(':');
    const path = colon === -1 ? item : item.slice(0, colon);
    return { path: path.split('.'), order: colon === -1 ? 'asc' : item.slice(colon + 1) };
  });
}

function itemsOf(value: QueryValue): SortItem[] {
  if (typeof value === 'string') {
    return itemsOfText(value);
  }
  return isQueryArray(value) ? value.flatMap(itemsOf) : itemsOfObject(value, []);
}

/** Parses `{title: 'desc', author: {name: 'asc'}}`. */
function itemsOfObject(value: QueryValue, path: readonly string[]): SortItem[] {
  if (typeof value === 'string') {
    return [{ path, order: value }];
  }
  if (!isQueryObject(value)) {
    throw invalidParameter(path.join('.') || 'sort');
  }
  return Object.entries(value).flatMap(([name, inner]) => itemsOfObject(inner, [...path, ...name.split('.')]));
}

function isDescending({ order, path }: SortItem, context: QueryContext): boolean {
  const lower = order.toLowerCase();
  if (lower !== 'asc' && lower !== 'desc') {
    const problem = `must be asc or desc, not "${order.slice(0, MAX_ORDER_LENGTH)}"`;
    throw invalidValue(pathOf(parameterPath(context, 'sort'), ...path), problem);
  }
  return lower === 'desc';
}

/** The step through a relation or component, and the attributes behind it; undefined if the caller can't go through it. */
function follow(
  readable: Readable,
  context: QueryContext,
): { readonly step: SortStep; readonly attributes: ReadableAttributes; readonly inSharedItem: boolean } | undefined {
  if (readable.kind === 'relation' && mayFollow(context, readable)) {
    const { type, ...seen } = seenType(context, readable.target);
    const relation = followed(context, leadingTo(readable, type));
    const step = { kind: 'relation', relation, ...seen } as const;
    return { step, attributes: attributesOfType(context, type), inSharedItem: false };
  }
  if (readable.kind === 'component') {
    const step = { kind: 'component', component: readable } as const;
    const inSharedItem = context.inSharedItem || readable.shared;
    return { step, attributes: attributesOfComponent(context, readable.component), inSharedItem };
  }
  return undefined;
}

function isMany(step: SortStep): boolean {
  return step.kind === 'relation' ? step.relation.many : step.component.repeatable;
}

function weightOf(path: readonly SortStep[]): number {
  return path.reduce((weight, step) => weight * (isMany(step) ? HOP_FACTOR.many : HOP_FACTOR.one), 1);
}

/** Undefined if the attribute counts as null in all entries. */
function keyOf(item: SortItem, attributes: ReadableAttributes, context: QueryContext): SortKey | undefined {
  if (item.path.length > context.api.maxPopulateDepth + 1) {
    throw new BadRequestError(`sort follows more than ${context.api.maxPopulateDepth} attributes`);
  }
  const descending = isDescending(item, context);
  const path: SortStep[] = [];
  let current = attributes;
  let inSharedItem = false;
  for (const [index, name] of item.path.entries()) {
    const readable = current.get(name);
    const unknown = () => {
      const path = pathOf(parameterPath(context, 'sort'), ...item.path.slice(0, index + 1));
      return unknownAttribute(path, name, { owner: current.owner, usable: usableNames(context, current) });
    };
    if (!readable) throw unknown();
    if (readable.kind === 'scalar' && index === item.path.length - 1) {
      context.budget.sortKey(weightOf(path));
      if (isUnset(readable, context)) return undefined;
      return { path, field: readable, descending };
    }
    const reached = follow(readable, { ...context, inSharedItem });
    if (!reached) throw unknown();
    path.push(reached.step);
    current = reached.attributes;
    inSharedItem = reached.inSharedItem;
  }
  const name = item.path.join('.');
  throw invalidValue(pathOf(parameterPath(context, 'sort'), name), `must name an attribute of it, such as ${name}.id`);
}

/**
 * The sort keys in order; none if `value` is undefined or empty. Throws BadRequestError for a name that is unknown or that the
 * caller may not use, and for an order other than `asc` and `desc`.
 */
export function parseSort(
  value: QueryValue | undefined,
  attributes: ReadableAttributes,
  context: QueryContext,
): SortKey[] {
  return value === undefined ? [] : itemsOf(value).flatMap((item) => keyOf(item, attributes, context) ?? []);
}
