/** The columns and relations by which a query chooses and orders entries, as the tags of answers name them. */
import { COLUMN_NAMES } from '../../contract/column-names.ts';
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import { publishedTypes } from '../../contract/states.ts';
import type { ReadableRelation, ReadableScalar } from '../../query/readable-attributes.ts';
import type { Filter, RelatedFilter, SortKey } from '../../query/read-query.ts';
import { REST, type TagNames } from './changed-tags.ts';
import { columnKey, type ExactType, isPublishedElsewhere } from './exact-types.ts';

/** The answer can't be told apart from others of its types. */
export class Inexact extends Error {}

export interface DependencyParts {
  readonly types: ContentTypes;
  readonly exact: ReadonlyMap<string, ExactType>;
  readonly names: TagNames;
}

/** Collects what a query uses. Its functions throw Inexact. */
export interface QueryUses {
  readonly names: TagNames;
  /** Tags of what it uses of other entries than those that it lists. */
  readonly tags: Set<string>;
  /** The columns and relations that it uses of those. */
  readonly uses: Set<string>;
  /** Runs work that looks at other entries. */
  elsewhere(work: () => void): void;
  typeOf(type: ContentType): ExactType;
  /** The name of a relation by where it is stored. */
  keyOf(type: ContentType, relation: ReadableRelation): string;
  filter(type: ContentType, filter: Filter): void;
  sort(type: ContentType, key: SortKey): void;
  /** Notes that entries of a type with drafts appear behind relations of others once they are published. */
  mayAppear(target: ContentType): void;
}

export function queryUses({ types, exact, names }: DependencyParts): QueryUses {
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
    if (column === COLUMN_NAMES.id || column === COLUMN_NAMES.documentId) return;
    const isCompared = columns.some((one) => one.column === column);
    use(columnKey(table, isCompared ? column : REST));
  }

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

  function mayAppear(target: ContentType): void {
    if (target.draftAndPublish) tags.add(names.ofMembers(typeOf(target).uid));
  }

  return { names, tags, uses, elsewhere, typeOf, keyOf, filter: usesFilter, sort: usesSort, mayAppear };
}
