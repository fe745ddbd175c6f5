/** `populate`: which relations, media, components and dynamic zones are shown, and how. */
import type { Component, ContentType } from '../contract/content-type.ts';
import { BadRequestError } from '../contract/errors.ts';
import { parseFields, shownFields } from './fields.ts';
import { allOf } from './filter-tree.ts';
import { parseFilters } from './filters.ts';
import { invalidParameter, invalidValue, pathOf, unknownAttribute, unknownWord } from './invalid-parameter.ts';
import { parsePagination, rowsOf, wholeNumber } from './pagination.ts';
import {
  emptyNode,
  fragmentsOf,
  normalizePopulate,
  onlyOptions,
  type PopulateLevel,
  type PopulateNode,
} from './populate-tree.ts';
import {
  attributesOfComponent,
  attributesOfType,
  leadingTo,
  mayFollow,
  parameterPath,
  type QueryContext,
  refuseHidden,
  seenType,
  type SeenType,
  visibleTargets,
} from './query-context.ts';
import { queryRules } from './query-rules.ts';
import { ownValue, parseFlag, type QueryObject, type QueryValue, textOf } from './query-value.ts';
import type {
  Readable,
  ReadableAttributes,
  ReadableLocalizations,
  ReadableMorph,
  ReadableRelation,
  ReadableZone,
} from './readable-attributes.ts';
import type { EntrySelection, ItemSelection, Population, PopulationWindow } from './read-query.ts';
import { followed } from './shown-locale.ts';
import { parseSort } from './sort.ts';
import { namesOfType } from '../contract/type-name.ts';

const FRAGMENT_OPTIONS: ReadonlySet<string> = new Set(['fields']);
const ITEM_OPTIONS = ['fields', 'filters', 'sort', 'start', 'limit', 'pagination'];
const RELATION_OPTIONS = [...ITEM_OPTIONS, 'count'];
const SHARED_OPTIONS = ['on', 'start', 'limit', 'pagination'];

/** Refuses options that don't apply to this kind of attribute. */
function checkOptions(node: PopulateNode, known: readonly string[], context: QueryContext): void {
  const { populateOptions } = queryRules(context.format.rules);
  onlyOptions(node, new Set([...known, ...populateOptions]), parameterPath(context, ''));
}

type Rows = Pick<PopulationWindow, 'start' | 'limit'>;

/** The rows of a populated list: by `pagination`, or by `start` and `limit`. All rows by default, and if `limit` is -1. */
function parseRows(options: QueryObject, context: QueryContext): Rows {
  const pagination = ownValue(options, 'pagination');
  if (pagination !== undefined) {
    return rowsOf(parsePagination(pagination, context.api));
  }
  const limit = wholeNumber(options, 'limit') ?? -1;
  return {
    start: Math.max(wholeNumber(options, 'start') ?? 0, 0),
    limit: limit === -1 ? undefined : Math.max(limit, 1),
  };
}

function parseWindow(options: QueryObject, attributes: ReadableAttributes, context: QueryContext): PopulationWindow {
  const asked = parseFilters(ownValue(options, 'filters'), attributes, context);
  return {
    filter: asked,
    asked,
    sort: parseSort(ownValue(options, 'sort'), attributes, context),
    ...parseRows(options, context),
  };
}

function within(name: string, node: PopulateNode, context: QueryContext): QueryContext {
  const path = context.path === '' ? name : `${context.path}.${name}`;
  return { ...context, path, live: queryRules(context.format.rules).populatedLive(node.options, context.live) };
}

function selectEntry(
  { type, live, narrowed }: SeenType,
  node: PopulateNode,
  context: QueryContext,
  depth: number,
): EntrySelection {
  const attributes = attributesOfType(context, type);
  const fields = parseFields(ownValue(node.options, 'fields'), attributes, parameterPath(context, 'fields'));
  return {
    type,
    live,
    narrowed,
    shape: context.format.shape,
    fields: shownFields(fields, context),
    populate: populateAll(node.children, attributes, { ...context, inSharedItem: false }, depth),
  };
}

function selectItem(component: Component, node: PopulateNode, context: QueryContext, depth: number): ItemSelection {
  const attributes = attributesOfComponent(context, component);
  return {
    uid: component.uid,
    fields: parseFields(ownValue(node.options, 'fields'), attributes, parameterPath(context, 'fields')),
    populate: populateAll(node.children, attributes, context, depth),
  };
}

function isLink(readable: Readable): readable is ReadableRelation | ReadableLocalizations | ReadableMorph {
  return readable.kind === 'relation' || readable.kind === 'localizations' || readable.kind === 'morph';
}

function isPopulatable(readable: Readable | undefined): readable is Readable {
  return readable !== undefined && readable.kind !== 'scalar';
}

/**
 * Distributes names populated on several target types at once: each target gets those that it has. A name that no target has is
 * refused or ignored.
 */
function shareNodes(node: PopulateNode, targets: readonly ReadableAttributes[], context: QueryContext): PopulateNode[] {
  const { namesByTarget } = queryRules(context.format.rules);
  for (const name of node.children.named.keys()) {
    if (!namesByTarget && targets.some((attributes) => isPopulatable(attributes.get(name)))) continue;
    const path = parameterPath(context, `populate.${name}`);
    if (!context.ignored) throw invalidParameter(path);
    context.ignored({ owner: context.path, name, path });
  }
  return targets.map((attributes) => {
    const named = [...node.children.named].filter(([name]) => isPopulatable(attributes.get(name)));
    return { options: emptyNode().options, children: { all: node.children.all, named: new Map(named) } };
  });
}

/** Refuses or ignores the fragments of `on` whose names are not `known`. */
function checkFragments(
  fragments: ReadonlyMap<string, PopulateNode> | undefined,
  known: ReadonlySet<string>,
  context: QueryContext,
  suggested: Iterable<string> = known,
): void {
  for (const name of fragments?.keys() ?? []) {
    if (known.has(name)) continue;
    const path = parameterPath(context, `on.${name}`);
    if (!context.ignored) throw unknownWord(path, name, suggested);
    context.ignored({ owner: context.path, name, path });
  }
}

function populateMorph(
  relation: ReadableMorph,
  node: PopulateNode,
  context: QueryContext,
  depth: number,
): Population | undefined {
  checkOptions(node, SHARED_OPTIONS, context);
  const visible = visibleTargets(context, relation).map(({ type, column }) => ({
    seen: seenType(context, type),
    column,
  }));
  const fragments = fragmentsOf(node);
  const shared = shareNodes(
    node,
    visible.map(({ seen }) => attributesOfType(context, seen.type)),
    context,
  );
  const named = (type: ContentType) => [...namesOfType(type.uid)].flatMap((name) => fragments?.get(name) ?? []).at(0);
  const known = new Set(relation.targets.flatMap(({ type }) => [...namesOfType(type.uid)]));
  checkFragments(fragments, known, context);
  const behind = { ...context, format: context.format.behindMorph };
  const targets = visible.flatMap(({ seen, column }, index) => {
    const chosen = fragments ? named(seen.type) : shared[index];
    if (chosen) {
      onlyOptions(chosen, FRAGMENT_OPTIONS, parameterPath(context, 'on'));
    }
    return chosen ? [{ column, entry: selectEntry(seen, chosen, behind, depth) }] : [];
  });
  if (visible.length === 0) return undefined;
  const { shape } = context.format;
  const rows = parseRows(node.options, context);
  return { kind: 'morph', shape, path: context.path, relation: followed(context, relation), targets, ...rows };
}

function populateZone(zone: ReadableZone, node: PopulateNode, outer: QueryContext, depth: number): Population {
  const context = { ...outer, inSharedItem: outer.inSharedItem || zone.shared };
  checkOptions(node, SHARED_OPTIONS, context);
  const fragments = fragmentsOf(node);
  const components = new Set(Object.keys(context.allowed.types.components));
  checkFragments(
    fragments,
    components,
    context,
    zone.components.map(({ uid }) => uid),
  );
  const shared = shareNodes(
    node,
    zone.components.map((component) => attributesOfComponent(context, component)),
    context,
  );
  const items = zone.components.flatMap((component, index) => {
    const chosen = fragments ? fragments.get(component.uid) : shared[index];
    if (chosen) {
      onlyOptions(chosen, FRAGMENT_OPTIONS, parameterPath(context, 'on'));
    }
    return chosen ? [selectItem(component, chosen, context, depth)] : [];
  });
  return { kind: 'zone', zone, items, ...parseRows(node.options, context) };
}

/** `count=true`: the number of entries in place of the list. */
function isCounted({ options }: PopulateNode): boolean {
  const value = ownValue(options, 'count');
  const flag = value === undefined ? false : parseFlag(textOf(value, 'count'));
  if (flag === undefined) throw invalidValue('count', 'must be true or false');
  return flag;
}

function populateOne(
  readable: Readable,
  node: PopulateNode,
  outer: QueryContext,
  depth: number,
): Population | undefined {
  const context = within(readable.name, node, outer);
  switch (readable.kind) {
    case 'relation':
    case 'localizations': {
      if (!mayFollow(context, readable)) return undefined;
      checkOptions(node, RELATION_OPTIONS, context);
      const behind = { ...context, inSharedItem: false };
      const seen = seenType(context, readable.target);
      const requested = parseWindow(node.options, attributesOfType(context, seen.type), behind);
      const entry = selectEntry(seen, node, context, depth);
      const { asked } = requested;
      const window = { ...requested, filter: allOf([asked, entry.narrowed]) };
      const { live, narrowed, shape } = entry;
      const way = leadingTo(readable, seen.type);
      const relation = way.kind === 'relation' ? followed(context, way) : way;
      if (isCounted(node)) return { kind: 'count', shape, relation, live, narrowed, filter: window.filter, asked };
      return { kind: 'relation', path: context.path, relation, window, entry };
    }
    case 'morph':
      return populateMorph(readable, node, context, depth);
    case 'component': {
      checkOptions(node, ITEM_OPTIONS, context);
      const inside = { ...context, inSharedItem: context.inSharedItem || readable.shared };
      const window = parseWindow(node.options, attributesOfComponent(context, readable.component), inside);
      const item = selectItem(readable.component, node, inside, depth);
      return { kind: 'component', component: readable, window, item };
    }
    case 'zone':
      return populateZone(readable, node, context, depth);
    case 'scalar':
      throw invalidParameter(readable.name);
  }
}

/** The attribute that a name populates. With an alias, if the query may have them, the answer has it under the whole name. */
function attributeNamed(name: string, attributes: ReadableAttributes, { aliases }: QueryContext): Readable | undefined {
  const colon = aliases ? name.indexOf(':') : -1;
  if (colon === -1) return attributes.get(name);
  const readable = attributes.get(name.slice(colon + 1));
  return readable && { ...readable, name };
}

/** What one level populates, in the order of the answer: as named or, for `*`, in the order of the type. */
function ordered(
  level: PopulateLevel,
  attributes: ReadableAttributes,
  context: QueryContext,
): [Readable, PopulateNode][] {
  for (const name of level.named.keys()) {
    if (isPopulatable(attributeNamed(name, attributes, context))) continue;
    const path = parameterPath(context, pathOf('populate', name));
    if (context.ignored) {
      context.ignored({ owner: attributes.owner, name, path });
      continue;
    }
    const usable = [...attributes.values()].filter(isPopulatable).map((readable) => readable.name);
    throw unknownAttribute(path, name, { owner: attributes.owner, usable });
  }
  const names = level.all ? attributes.keys() : level.named.keys();
  return [...names].flatMap((name): [Readable, PopulateNode][] => {
    const readable = attributeNamed(name, attributes, context);
    return isPopulatable(readable) ? [[readable, level.named.get(name) ?? emptyNode()]] : [];
  });
}

function populateAll(
  level: PopulateLevel,
  attributes: ReadableAttributes,
  context: QueryContext,
  depth: number,
): Population[] {
  const all = ordered(level, attributes, context);
  if (all.length > 0 && depth >= context.api.maxPopulateDepth) {
    throw new BadRequestError(`populate goes deeper than ${context.api.maxPopulateDepth} levels`);
  }
  return all.flatMap(([readable, node]) => {
    context.budget.populatedPath();
    const population = populateOne(readable, node, context, depth + 1);
    if (!population && isLink(readable)) refuseHidden(context, readable);
    return population ?? [];
  });
}

/**
 * Parses what to populate, in the order of the answer; nothing if `value` is undefined. Relations whose target the caller may not
 * find are left out. Throws BadRequestError for names that are unknown or private, unless they are ignored, and if the limits of depth or of populated
 * paths are exceeded.
 */
export function parsePopulate(
  value: QueryValue | undefined,
  attributes: ReadableAttributes,
  context: QueryContext,
): Population[] {
  queryRules(context.format.rules).checkPopulate(value);
  return populateAll(normalizePopulate(value), attributes, context, 0);
}
