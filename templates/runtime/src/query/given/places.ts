/**
 * The tables of a query whose rows are given with it, in place of those that the database has: one for each place that its filters and sort
 * keys reach. Relations lead from one place to the next by links that are given as well.
 */
import type { ContentType } from '../../contract/content-type.ts';
import { BadRequestError } from '../../contract/errors.ts';
import type {
  ReadableComponent,
  ReadableLocalizations,
  ReadableRelation,
  ReadableScalar,
} from '../readable-attributes.ts';
import type { Filter, ItemFilter, RelatedFilter, SortKey, SortStep } from '../read-query.ts';

/** What a query uses of an entry, or of the items of a component. */
export interface Used {
  readonly fields: Map<string, ReadableScalar>;
  readonly components: Map<string, UsedComponent>;
  readonly relations: Map<string, UsedRelation>;
}

export interface UsedComponent {
  readonly component: ReadableComponent;
  readonly items: Used;
}

/** A relation, as the query has it. */
export interface UsedRelation {
  readonly seen: Pick<RelatedFilter, 'live' | 'narrowed'>;
  readonly relation: ReadableRelation;
  /** The table of its links. */
  readonly links: string;
  /** Undefined: the entries are those that the database has. */
  readonly target: Place | undefined;
}

/** A table of entries. */
export interface Place {
  /** The type of its entries, over this table. */
  readonly type: ContentType;
  readonly used: Used;
}

/** The columns of links between entries. */
export const LINK_COLUMNS = { own: 'own', other: 'other', position: 'position' } as const;

/** Where a condition stands. */
interface At {
  readonly place: Place;
  readonly used: Used;
  readonly inItem: boolean;
}

export interface PlacedQuery {
  readonly root: Place;
  readonly filter: Filter | undefined;
  readonly sort: readonly SortKey[];
}

function nothingUsed(): Used {
  return { fields: new Map(), components: new Map(), relations: new Map() };
}

/** Former content is in no full-text index, and each engine has its own notion of words. */
function refuseWords({ pluralName }: ContentType): never {
  throw new BadRequestError(
    `Invalid parameter _q: ${pluralName} are searched by a full-text index, which former content is not in; use filters`,
  );
}

function refuseLocalizations({ name }: ReadableLocalizations): never {
  throw new BadRequestError(
    `Invalid parameter filters: ${name} can't be filtered by in a former state; filter by the locale instead`,
  );
}

class Placing {
  #places = 0;
  /** Whether the entries of a type are those that the database has. */
  readonly #isStored: (type: ContentType) => boolean;

  constructor(isStored: (type: ContentType) => boolean) {
    this.#isStored = isStored;
  }

  open(type: ContentType): Place {
    this.#places += 1;
    const table = `given ${this.#places}`;
    // Nothing of it is indexed.
    const { memberIndexes: _indexes, search: _search, ...rest } = type;
    return {
      type: { ...rest, table, componentLinks: { table: `${table} links`, targets: {} } },
      used: nothingUsed(),
    };
  }

  #way({ place, used, inItem }: At, relation: ReadableRelation, seen: UsedRelation['seen']): UsedRelation {
    const known = used.relations.get(relation.name);
    if (known) return known;
    const { type } = place;
    const target = this.#isStored(relation.target) ? undefined : this.open(relation.target);
    const links = inItem ? (type.componentLinks?.table ?? '') : `${type.table} ${relation.name}`;
    if (inItem) Object.assign(type.componentLinks?.targets ?? {}, { [relation.target.uid]: LINK_COLUMNS.other });
    const way = { seen, relation, links, target };
    used.relations.set(relation.name, way);
    return way;
  }

  /** The relation over its links, and where it leads to. */
  #follow(at: At, relation: ReadableRelation, seen: UsedRelation['seen']) {
    const { links, target } = this.#way(at, relation, seen);
    // Links lead to the rows that are shown.
    const { shown: _shown, ...rest } = relation;
    const placed: ReadableRelation = {
      ...rest,
      storage: { kind: 'link', table: links, ...LINK_COLUMNS },
      target: target?.type ?? relation.target,
    };
    return { relation: placed, live: false, narrowed: undefined, target };
  }

  #inside({ place, used }: At, component: ReadableComponent): At {
    const known = used.components.get(component.name) ?? { component, items: nothingUsed() };
    used.components.set(component.name, known);
    return { place, used: known.items, inItem: true };
  }

  #related(filter: RelatedFilter, at: At): Filter {
    const { relation, live, narrowed, filter: own } = filter;
    if (relation.kind === 'localizations') return refuseLocalizations(relation);
    const { target, ...way } = this.#follow(at, relation, { live, narrowed });
    return { kind: 'related', ...way, filter: own && target ? this.filter(own, atRoot(target)) : own };
  }

  #item({ component, filter }: ItemFilter, at: At): Filter {
    const inside = this.#inside(at, component);
    return { kind: 'item', component, filter: filter && this.filter(filter, inside) };
  }

  filter(filter: Filter, at: At): Filter {
    switch (filter.kind) {
      case 'and':
      case 'or':
        return { kind: filter.kind, filters: filter.filters.map((one) => this.filter(one, at)) };
      case 'not':
      case 'unmet':
        return { kind: filter.kind, filter: this.filter(filter.filter, at) };
      case 'compare':
      case 'in':
      case 'null':
      case 'text':
        at.used.fields.set(filter.field.name, filter.field);
        return filter;
      case 'related':
        return this.#related(filter, at);
      case 'item':
        return this.#item(filter, at);
      case 'nothing':
        return filter;
      case 'words':
        return refuseWords(at.place.type);
      case 'modified':
        throw new Error(`${filter.kind} needs the tables of the database`);
    }
  }

  sortKey({ path, field, descending }: SortKey, root: Place): SortKey {
    let at: At | undefined = atRoot(root);
    const steps: SortStep[] = [];
    for (const step of path) {
      // Behind what the database has, everything is.
      if (!at) {
        steps.push(step);
      } else if (step.kind === 'component') {
        at = this.#inside(at, step.component);
        steps.push(step);
      } else {
        const { target, ...way } = this.#follow(at, step.relation, step);
        steps.push({ kind: 'relation', ...way });
        at = target && atRoot(target);
      }
    }
    at?.used.fields.set(field.name, field);
    return { path: steps, field, descending };
  }
}

function atRoot(place: Place): At {
  return { place, used: place.used, inItem: false };
}

/** Leads a query to places of its own. `isStored`: whether the entries of a type are those that the database has. */
export function placedQuery(
  type: ContentType,
  { filter, sort }: { readonly filter: Filter | undefined; readonly sort: readonly SortKey[] },
  isStored: (type: ContentType) => boolean,
): PlacedQuery {
  const placing = new Placing(isStored);
  const root = placing.open(type);
  return {
    root,
    filter: filter && placing.filter(filter, atRoot(root)),
    sort: sort.map((key) => placing.sortKey(key, root)),
  };
}
