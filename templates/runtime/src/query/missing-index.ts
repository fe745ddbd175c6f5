/** Finds the index that a list lacks, by comparing its conditions and sort keys with the existing indexes. */
import { canBeIndexed, isFreeText } from '../contract/attribute-types/scalar-type.ts';
import type { Attribute, ContentType } from '../contract/content-type.ts';
import { memberIndexOf } from './member-index.ts';
import type { Filter, ItemFilter, ListQuery, SortKey } from './read-query.ts';
import type { ReadableScalar } from './readable-attributes.ts';

/** Advice for a list: indexes to add, and what no index can help with. */
export interface IndexAdvice {
  /** Attribute names, prefixed with `-` if descending. Undefined if such an index exists or none would help. */
  readonly index: readonly string[] | undefined;
  /** Attributes of components, such as `seo.metaTitle`, each of which needs its own index. */
  readonly members: readonly string[];
  /** The text attributes in which `_q` searches for words without a full-text index. */
  readonly search: readonly string[] | undefined;
  /** Sentences about conditions that no index serves. */
  readonly notes: readonly string[];
  /** Whether an index leads to the entries of a page, in their order: no others are examined. */
  readonly isServed: boolean;
}

/** What a list needs of its own table. */
interface Needs {
  readonly equal: Set<string>;
  readonly ranged: Set<string>;
  readonly searched: Set<string>;
  readonly members: Set<string>;
  readonly notes: string[];
}

const NO_ITEM_INDEX = 'An attribute of the type itself can have an index.';

/** The conjuncts of a filter. */
function conjuncts(filter: Filter | undefined): readonly Filter[] {
  if (filter === undefined) return [];
  return filter.kind === 'and' ? filter.filters.flatMap(conjuncts) : [filter];
}

/** The attribute name of a foreign key, if the filter compares it with an id. */
function foreignKeyOf(filter: Extract<Filter, { kind: 'related' }>): string | undefined {
  const { relation, filter: inner } = filter;
  if (relation.kind !== 'relation' || relation.storage.kind !== 'foreignKey') return undefined;
  const isById = inner !== undefined && conjuncts(inner).every((one) => 'field' in one && one.field.name === 'id');
  return isById ? relation.name : undefined;
}

/** The field that a condition compares as a whole. */
function comparedField(filter: Filter): ReadableScalar | undefined {
  switch (filter.kind) {
    case 'in':
    case 'compare':
      return filter.field;
    case 'text':
      return filter.match === 'equals' && !filter.fold ? filter.field : undefined;
    case 'null':
    case 'and':
    case 'or':
    case 'not':
    case 'unmet':
    case 'nothing':
    case 'modified':
    case 'words':
    case 'related':
    case 'item':
      return undefined;
  }
}

/** Notes the conditions inside a component: those that an index can serve, and those that none can. */
function noteItem(
  { members, notes }: Pick<Needs, 'members' | 'notes'>,
  { component, filter }: ItemFilter,
  path: readonly string[],
): void {
  const itemPath = [...path, component.name];
  if (component.repeatable) {
    notes.push(
      `A condition looks into the list ${itemPath.join('.')}, which is stored inside each entry: no index supports it. ${NO_ITEM_INDEX}`,
    );
    return;
  }
  for (const one of conjuncts(filter)) {
    const field = comparedField(one);
    if (one.kind === 'item') {
      noteItem({ members, notes }, one, itemPath);
    } else if (field && canBeIndexed(field.type)) {
      members.add([...itemPath, field.name].join('.'));
    } else {
      notes.push(
        `A condition looks into ${itemPath.join('.')}, which is stored inside each entry, in a way that no index supports. ${NO_ITEM_INDEX}`,
      );
    }
  }
}

function noteCondition(needs: Needs, filter: Filter): void {
  const { equal, ranged, searched, notes } = needs;
  switch (filter.kind) {
    case 'in':
    case 'null':
      equal.add(filter.field.name);
      return;
    case 'compare':
      (filter.comparison === '=' ? equal : ranged).add(filter.field.name);
      return;
    case 'text':
      if (filter.match === 'equals' && !filter.fold) equal.add(filter.field.name);
      else searched.add(filter.field.name);
      return;
    case 'related': {
      const name = foreignKeyOf(filter);
      if (name === undefined) {
        notes.push(
          `A condition follows the relation ${filter.relation.name}: the attribute that it compares needs an index in the related type.`,
        );
      } else {
        equal.add(name);
      }
      return;
    }
    case 'item':
      noteItem(needs, filter, []);
      return;
    case 'or':
    case 'not':
    case 'unmet':
      notes.push(
        'Conditions under $or and $not, and $ne and $notIn, match many entries: an index alone does not help.',
      );
      return;
    case 'and':
    case 'nothing':
    case 'modified':
    case 'words':
  }
}

/** The attribute of a component that a list is sorted by, if it can be indexed. */
function sortedMember({ path, field }: SortKey): string | undefined {
  const names = path.map((step) =>
    step.kind === 'component' && !step.component.repeatable ? step.component.name : '',
  );
  if (names.length === 0 || names.includes('') || !canBeIndexed(field.type)) return undefined;
  return [...names, field.name].join('.');
}

function sortNames(sort: readonly SortKey[], { members, notes }: Needs): readonly string[] {
  const [first] = sort;
  const member = first && sortedMember(first);
  if (member !== undefined) {
    members.add(member);
    return [];
  }
  const names: string[] = [];
  for (const { path, field, descending } of sort) {
    if (path.length > 0) {
      notes.push(
        "Sorting by a relation or a list of components can't use an index: all entries that match the filter are sorted.",
      );
      return [];
    }
    if (field.name === 'id') break;
    names.push(descending ? `-${field.name}` : field.name);
  }
  return names;
}

const nameOf = (key: string): string => (key.startsWith('-') ? key.slice(1) : key);

/** Whether an index begins with the `equal` names in any order, followed by `next`. */
function covers(
  index: readonly string[],
  {
    equal,
    next,
    backwards,
  }: { readonly equal: ReadonlySet<string>; readonly next: readonly string[]; readonly backwards: boolean },
): boolean {
  const first = index.slice(0, equal.size).map(nameOf);
  if (!first.every((name) => equal.has(name)) || first.length < equal.size) return false;
  const rest = index.slice(equal.size);
  // An index on a single attribute can be scanned in either direction.
  const isSame = (key: string, at: number): boolean =>
    rest[at] === key || (index.length === 1 && nameOf(rest[at] ?? '') === nameOf(key));
  return next.every(isSame) || (backwards && next.every((key, at) => rest[at] === turned(key)));
}

/** The sort key in the other direction. */
function turned(key: string): string {
  return key.startsWith('-') ? key.slice(1) : `-${key}`;
}

/** Whether an attribute's values are unique. */
function isUnique(attribute: Attribute): boolean {
  return attribute.type === 'uid' || ('unique' in attribute && attribute.unique);
}

/** The indexes that a type has besides those of its schema. */
function ownIndexes({ attributes, tenant, unique = [] }: ContentType): readonly (readonly string[])[] {
  const single = Object.entries(attributes).flatMap(([name, attribute]) => {
    const isLink = 'storage' in attribute && attribute.storage.kind === 'foreignKey';
    if (isLink) return [[name]];
    return isUnique(attribute) ? [[...(tenant === undefined ? [] : [tenant]), name]] : [];
  });
  return [...single, ...unique];
}

const SYSTEM: ReadonlySet<string> = new Set(['createdAt', 'updatedAt', 'publishedAt']);

function isKey({ attributes }: ContentType, name: string): boolean {
  const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  if (!attribute) return SYSTEM.has(name);
  if ('storage' in attribute) return attribute.storage.kind === 'foreignKey';
  return !('component' in attribute || 'components' in attribute) && canBeIndexed(attribute.type);
}

function neededIndex(type: ContentType, { equal, ranged }: Needs, sorted: readonly string[]): readonly string[] {
  const [first = ''] = ranged;
  const isRangeSorted = sorted.length === 0 || nameOf(sorted[0] ?? '') === first;
  const next = ranged.size === 0 || isRangeSorted ? (sorted.length > 0 ? sorted : [...ranged].slice(0, 1)) : sorted;
  const wanted = [...equal, ...next.filter((key) => !equal.has(nameOf(key)))];
  return wanted.filter((key) => isKey(type, nameOf(key)));
}

function textsOf({ attributes }: ContentType): readonly string[] {
  return Object.entries(attributes).flatMap(([name, attribute]) => {
    const isText =
      'column' in attribute && 'type' in attribute && !('component' in attribute || 'components' in attribute);
    return isText && attribute.private !== true && isFreeText(attribute.type) ? [name] : [];
  });
}

/**
 * The indexes that a list of `type` lacks. `looksThroughTexts`: whether `_q` searches without a full-text index. `backwards`: whether
 * the engine reads indexes over several attributes in both directions.
 */
export function indexAdvice(
  type: ContentType,
  query: ListQuery,
  { looksThroughTexts, backwards }: { readonly looksThroughTexts: boolean; readonly backwards: boolean },
): IndexAdvice {
  const needs: Needs = { equal: new Set(), ranged: new Set(), searched: new Set(), members: new Set(), notes: [] };
  // A search is an OR of one condition per text attribute.
  const conditions = conjuncts(query.filter).filter(({ kind }) => !(looksThroughTexts && kind === 'or'));
  for (const filter of conditions) noteCondition(needs, filter);
  const { equal, notes, searched, members } = needs;
  const sorted = sortNames(query.sort, needs);
  const unique = Object.entries(type.attributes).flatMap(([name, attribute]) => (isUnique(attribute) ? [name] : []));
  // Entries that are looked up by a unique value need no other index.
  const isFound = ['id', 'documentId', ...unique].some((name) => equal.has(name));
  const wanted = isFound ? [] : neededIndex(type, needs, sorted);
  const found = new Set(wanted.map(nameOf).filter((name) => equal.has(name)));
  const rest = wanted.filter((key) => !equal.has(nameOf(key)));
  const exists = [...(type.indexes ?? []), ...ownIndexes(type)].some((index) =>
    covers(index, { equal: found, next: rest, backwards }),
  );
  if (searched.size > 0) {
    notes.push(
      `${[...searched].join(', ')}: an index can't find parts of a text ($contains, $startsWith, $endsWith); use \`search\` and \`_q\` to find words.`,
    );
  }
  const lacking = [...members].filter((name) => memberIndexOf(type, name.split('.')) === undefined);
  const isWhole = notes.length === 0 && members.size === 0 && !looksThroughTexts;
  return {
    isServed: isWhole && wanted.length > 0 && exists,
    index: wanted.length === 0 || exists ? undefined : wanted,
    members: isFound ? [] : lacking,
    search: looksThroughTexts ? textsOf(type) : undefined,
    notes: [...new Set(notes)],
  };
}
