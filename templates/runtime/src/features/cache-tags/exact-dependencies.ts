/**
 * What an answer depends on besides the entries that it shows, by its validated query: the lists that entries join and leave, and the
 * columns and relations by which its entries are chosen and ordered.
 */
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import { publishedTypes } from '../../contract/states.ts';
import type { Operand } from '../../query/bindings.ts';
import type { ReadableRelation, ReadableScalar } from '../../query/readable-attributes.ts';
import type {
  EntrySelection,
  Filter,
  ItemSelection,
  ListQuery,
  Population,
  ReadQuery,
  RelatedFilter,
  SortKey,
} from '../../query/read-query.ts';
import { groupOf, REST, type TagNames } from './changed-tags.ts';
import { textOfValue } from './entry-states.ts';
import { columnKey, type ExactType, isPublishedElsewhere, referredKey } from './exact-types.ts';

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

/** The answer can't be told apart from others of its types. */
class Inexact extends Error {}

export interface DependencyParts {
  readonly types: ContentTypes;
  readonly exact: ReadonlyMap<string, ExactType>;
  readonly names: TagNames;
}

/** Undefined if the answer depends on its types as a whole. */
export function dependenciesOf(
  query: ReadQuery & Partial<Pick<ListQuery, 'sort'>>,
  { types, exact, names }: DependencyParts,
): Dependencies | undefined {
  const tags = new Set<string>();
  const uses = new Set<string>();
  /** Whether the entries of the list themselves are looked at. */
  let isRoot = true;
  const use = (key: string): void => void (isRoot ? uses.add(key) : tags.add(names.ofUse(key)));
  /** What other entries are looked at for. */
  const elsewhere = (work: () => void): void => {
    const was = isRoot;
    isRoot = false;
    work();
    isRoot = was;
  };

  function typeOf({ uid }: ContentType): ExactType {
    const found = exact.get(uid);
    if (!found) throw new Inexact();
    return found;
  }

  function usesColumn(type: ContentType, { column }: ReadableScalar): void {
    const { table, columns } = typeOf(type);
    if (column === 'id' || column === 'document_id') return;
    const isCompared = columns.some((one) => one.column === column);
    use(columnKey(table, isCompared ? column : REST));
  }

  /** The name of a relation by where it is stored. */
  function keyOf(type: ContentType, relation: ReadableRelation): string {
    const { storage, target } = relation;
    const attribute = publishedTypes(types).types[type.uid]?.attributes[relation.name];
    if (attribute && isPublishedElsewhere(types, type, attribute)) throw new Inexact();
    if (relation.shared) throw new Inexact();
    switch (storage.kind) {
      case 'foreignKey':
        return columnKey(typeOf(type).table, storage.column);
      case 'inverseForeignKey':
        return columnKey(typeOf(target).table, storage.column);
      case 'link':
        return storage.table;
      case 'inverseMorph':
        throw new Inexact();
    }
  }

  function usesRelated(type: ContentType, { relation, narrowed, filter }: RelatedFilter): void {
    if (relation.kind !== 'relation') throw new Inexact();
    use(keyOf(type, relation));
    tags.add(names.ofMembers(typeOf(relation.target).uid));
    elsewhere(() => {
      for (const one of [narrowed, filter]) if (one) usesFilter(relation.target, one);
    });
  }

  function usesFilter(type: ContentType, filter: Filter): void {
    switch (filter.kind) {
      case 'and':
      case 'or':
        for (const one of filter.filters) usesFilter(type, one);
        return;
      case 'not':
      case 'unmet':
        usesFilter(type, filter.filter);
        return;
      case 'nothing':
        return;
      case 'related':
        usesRelated(type, filter);
        return;
      case 'compare':
      case 'in':
      case 'null':
      case 'text':
        usesColumn(type, filter.field);
        return;
      case 'words':
      case 'modified':
      case 'item':
        throw new Inexact();
    }
  }

  function usesSort(type: ContentType, { path, field }: SortKey): void {
    const [step, ...rest] = path;
    if (!step) {
      usesColumn(type, field);
      return;
    }
    if (step.kind !== 'relation') throw new Inexact();
    const { relation, narrowed } = step;
    use(keyOf(type, relation));
    tags.add(names.ofMembers(typeOf(relation.target).uid));
    elsewhere(() => {
      if (narrowed) usesFilter(relation.target, narrowed);
      usesSort(relation.target, { path: rest, field, descending: false });
    });
  }

  /** Entries of a type with drafts appear behind relations of others once they are published. */
  function mayAppear(target: ContentType): void {
    if (target.draftAndPublish) tags.add(names.ofMembers(typeOf(target).uid));
  }

  function populates(type: ContentType | undefined, population: Population): void {
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
        for (const one of filters) if (one) usesFilter(target, one);
        if (population.kind === 'count') {
          mayAppear(target);
          return;
        }
        for (const key of population.window.sort) usesSort(target, key);
        shows(population.entry);
        return;
      }
      case 'component':
        if (population.window.filter || population.window.sort.length > 0) throw new Inexact();
        showsItem(population.item);
        return;
      case 'zone':
        for (const item of population.items) showsItem(item);
        return;
      case 'morph':
        throw new Inexact();
    }
  }

  function showsItem({ populate }: ItemSelection): void {
    for (const one of populate) populates(undefined, one);
  }

  function shows({ type, narrowed, populate }: EntrySelection): void {
    typeOf(type);
    if (narrowed) usesFilter(type, narrowed);
    for (const one of populate) populates(type, one);
  }

  /** The list of the entries with one value that a condition names. */
  function bucketOf(type: ContentType, filter: Filter): Bucket | undefined {
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
  function chosenBy(type: ContentType, filter: Filter | undefined): Bucket | undefined {
    const all = filter?.kind === 'and' ? filter.filters : filter ? [filter] : [];
    const found = all.map((one) => bucketOf(type, one));
    // Of several, the smallest: an entry's own key, then those of a relation.
    const rank = ({ isGroup, isRelated }: Bucket): number => (isGroup ? (isRelated ? 1 : 2) : 0);
    const [bucket] = found.filter((one) => one !== undefined).sort((a, b) => rank(a) - rank(b));
    for (const [index, one] of all.entries()) if (!bucket || found[index] !== bucket) usesFilter(type, one);
    if (!bucket) tags.add(names.ofMembers(type.uid));
    return bucket;
  }

  try {
    const { entry, filter, sort } = query;
    elsewhere(() => shows(entry));
    if (sort === undefined && filter) usesFilter(entry.type, filter);
    const bucket = sort && chosenBy(entry.type, filter);
    for (const key of sort ?? []) usesSort(entry.type, key);
    return { tags: [...tags], bucket, uses: [...uses] };
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
