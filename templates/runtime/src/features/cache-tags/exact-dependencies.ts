/**
 * What an answer depends on besides the entries that it shows, by its validated query: the lists that entries join and leave, and the
 * columns and relations by which its entries are chosen and ordered.
 */
import type { ContentType } from '../../contract/content-type.ts';
import type { Operand } from '../../query/bindings.ts';
import type {
  EntrySelection,
  Filter,
  ItemSelection,
  ListQuery,
  Population,
  ReadQuery,
} from '../../query/read-query.ts';
import { groupOf, type TagNames } from './changed-tags.ts';
import { textOfValue } from './entry-states.ts';
import { columnKey, referredKey } from './exact-types.ts';
import { type DependencyParts, Inexact, queryUses, type QueryUses } from './query-uses.ts';

/** A list of the entries with one value: which one a query says. */
export interface Bucket {
  readonly uid: string;
  readonly key: string;
  readonly value: Operand;
  /** Whether it is told apart by which columns its lists use. */
  readonly isGroup: boolean;
  readonly isRelated: boolean;
  /** The bucket of the related entries, by whose values its own are told apart. */
  readonly of?: { readonly uid: string; readonly key: string };
}

export interface Dependencies {
  /** Tags that all answers to queries of this shape have. */
  readonly tags: readonly string[];
  readonly bucket: Bucket | undefined;
  /** The columns and relations of the listed entries themselves that it uses. */
  readonly uses: readonly string[];
}

function populates(walk: QueryUses, type: ContentType | undefined, population: Population): void {
  const { typeOf, keyOf, mayAppear } = walk;
  switch (population.kind) {
    case 'relation':
    case 'count': {
      const { relation } = population;
      if (relation.kind !== 'relation') throw new Inexact();
      const { target } = relation;
      if (type) keyOf(type, relation);
      const isKnown = type !== undefined && typeOf(target).links.some(({ target: back }) => back === type.uid);
      const isOwned = type !== undefined && [...typeOf(target).references.values()].includes(type.uid);
      if (!isKnown && !isOwned) mayAppear(target);
      const filters =
        population.kind === 'count'
          ? [population.filter, population.narrowed]
          : [population.window.filter, population.entry.narrowed];
      for (const one of filters) if (one) walk.filter(target, one);
      if (population.kind === 'count') {
        mayAppear(target);
        return;
      }
      for (const key of population.window.sort) walk.sort(target, key);
      shows(walk, population.entry);
      return;
    }
    case 'component':
      if (population.window.filter || population.window.sort.length > 0) throw new Inexact();
      showsItem(walk, population.item);
      return;
    case 'zone':
      for (const item of population.items) showsItem(walk, item);
      return;
    case 'morph':
      throw new Inexact();
  }
}

function showsItem(walk: QueryUses, { populate }: ItemSelection): void {
  for (const one of populate) populates(walk, undefined, one);
}

function shows(walk: QueryUses, { type, narrowed, populate }: EntrySelection): void {
  walk.typeOf(type);
  if (narrowed) walk.filter(type, narrowed);
  for (const one of populate) populates(walk, type, one);
}

/** The list of the entries with one value that a condition names. */
function bucketOf({ typeOf, keyOf, mayAppear }: QueryUses, type: ContentType, filter: Filter): Bucket | undefined {
  const { uid, table, columns } = typeOf(type);
  if (filter.kind === 'compare' && filter.comparison === '=') {
    const { column } = filter.field;
    const found = columns.find((one) => one.isBucket && one.column === column);
    return (
      found && { uid, key: columnKey(table, column), value: filter.value, isGroup: found.isGroup, isRelated: false }
    );
  }
  if (filter.kind !== 'related' || filter.relation.kind !== 'relation') return undefined;
  const { relation, narrowed, filter: inner } = filter;
  if (inner?.kind !== 'compare' || inner.comparison !== '=') return undefined;
  // What else decides about the related entry.
  if (narrowed !== undefined || relation.storage.kind === 'inverseForeignKey') return undefined;
  const key = keyOf(type, relation);
  const { target, storage } = relation;
  const { column } = inner.field;
  const { value } = inner;
  if (column === 'id') {
    mayAppear(target);
    return { uid, key, value, isGroup: true, isRelated: true };
  }
  const isReferred =
    storage.kind === 'foreignKey' &&
    typeOf(type).referred.some((one) => one.reference === storage.column && one.column === column);
  if (!isReferred) return undefined;
  const of = { uid: target.uid, key: columnKey(typeOf(target).table, column) };
  return { uid, key: referredKey(key, column), value, isGroup: true, isRelated: true, of };
}

/** Conditions that all must hold; one of them may be about a bucket. */
function chosenBy(walk: QueryUses, type: ContentType, filter: Filter | undefined): Bucket | undefined {
  const all = filter?.kind === 'and' ? filter.filters : filter ? [filter] : [];
  const found = all.map((one) => bucketOf(walk, type, one));
  // Of several, the smallest: an entry's own key, then those of a relation.
  const rank = ({ isGroup, isRelated }: Bucket): number => (isGroup ? (isRelated ? 1 : 2) : 0);
  const [bucket] = found.filter((one) => one !== undefined).sort((a, b) => rank(a) - rank(b));
  for (const [index, one] of all.entries()) if (!bucket || found[index] !== bucket) walk.filter(type, one);
  if (!bucket) walk.tags.add(walk.names.ofMembers(type.uid));
  return bucket;
}

/** Undefined if the answer depends on its types as a whole. */
export function dependenciesOf(
  { entry, filter, sort }: ReadQuery & Partial<Pick<ListQuery, 'sort'>>,
  parts: DependencyParts,
): Dependencies | undefined {
  const walk = queryUses(parts);
  try {
    walk.elsewhere(() => shows(walk, entry));
    if (sort === undefined && filter) walk.filter(entry.type, filter);
    const bucket = sort && chosenBy(walk, entry.type, filter);
    for (const key of sort ?? []) walk.sort(entry.type, key);
    return { tags: [...walk.tags], bucket, uses: [...walk.uses] };
  } catch (error) {
    if (error instanceof Inexact) return undefined;
    throw error;
  }
}

/** All tags of an answer, except for those of the entries that it shows. */
export function tagsOfDependencies(
  { tags, bucket, uses }: Dependencies,
  values: readonly unknown[],
  names: TagNames,
): readonly string[] {
  if (!bucket) return [...tags, ...uses.map((key) => names.ofUse(key))];
  const { uid, key, value, isGroup, of } = bucket;
  const text = textOfValue(value.kind === 'constant' ? value.value : values[value.index]);
  const within = isGroup ? groupOf(key, text) : undefined;
  return [
    ...tags,
    names.ofBucket(uid, key, text),
    ...(of ? [names.ofBucket(of.uid, of.key, text)] : []),
    ...uses.map((use) => names.ofUse(use, within)),
  ];
}
