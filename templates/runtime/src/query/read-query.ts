/** A query that was checked: the tree from which SQL is compiled. Every name in it comes from the descriptors. */
import type { Canonical } from '../contract/attribute-types/attribute-type.ts';
import type { ContentType } from '../contract/content-type.ts';
import type { Operand } from './bindings.ts';
import type { EntryShape } from './entry-shape.ts';
import type {
  ReadableComponent,
  ReadableLocalizations,
  ReadableMorph,
  ReadableRelation,
  ReadableScalar,
  ReadableZone,
} from './readable-attributes.ts';

/** How text is searched. */
export type TextMatch = 'equals' | 'contains' | 'startsWith' | 'endsWith';

export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>=';

/** Values are canonical, as the dialect binds them; of `in` any number of them. What is bound is never part of the tree. */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly filters: readonly Filter[] }
  | { readonly kind: 'not'; readonly filter: Filter }
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'compare';
      readonly field: ReadableScalar;
      readonly comparison: Comparison;
      readonly value: Operand;
    }
  | { readonly kind: 'in'; readonly field: ReadableScalar; readonly values: readonly Operand[] }
  | { readonly kind: 'null'; readonly field: ReadableScalar }
  | {
      readonly kind: 'text';
      readonly field: ReadableScalar;
      readonly match: TextMatch;
      /** Whether upper and lower case are the same. */
      readonly fold: boolean;
      readonly value: Operand<string>;
    }
  | {
      /** All words are in the texts that `index` is of. */
      readonly kind: 'words';
      readonly index: string;
      /** In lower case, with blanks between them. */
      readonly words: Operand<string>;
    }
  | RelatedFilter
  | ItemFilter;

/** Holds if a related row meets `filter`; without one, if there is a related row at all. */
export interface RelatedFilter {
  readonly kind: 'related';
  readonly relation: ReadableRelation | ReadableLocalizations;
  /** Related drafts do not exist for it. */
  readonly live: boolean;
  /** Nor do related rows that do not meet this: no `not` around it turns it into its opposite. */
  readonly narrowed: Filter | undefined;
  readonly filter: Filter | undefined;
}

/** The same for the items of a component attribute. */
export interface ItemFilter {
  readonly kind: 'item';
  readonly component: ReadableComponent;
  readonly filter: Filter | undefined;
}

/** One hop of the path of a sort key. */
export type SortStep =
  | {
      readonly kind: 'relation';
      readonly relation: ReadableRelation;
      readonly live: boolean;
      readonly narrowed: Filter | undefined;
    }
  | { readonly kind: 'component'; readonly component: ReadableComponent };

export interface SortKey {
  /** From the entry to the row that has the field; empty for its own. */
  readonly path: readonly SortStep[];
  readonly field: ReadableScalar;
  readonly descending: boolean;
}

/** The values of the sort keys of an entry, in canonical form or null, and its id. */
export interface Place {
  readonly values: readonly Canonical[];
  readonly id: number;
}

/** Which rows, in which order. */
export interface Window {
  readonly filter: Filter | undefined;
  readonly sort: readonly SortKey[];
  /** Rows left out at the start. */
  readonly start: number;
  readonly limit: number | undefined;
}

/** What is shown of an entry. */
export interface EntrySelection {
  readonly type: ContentType;
  /** Whether only published rows are seen from here on. */
  readonly live: boolean;
  /** What rows of the type have to meet to be seen. Where a filter of theirs is at hand, it is a part of that too. */
  readonly narrowed: Filter | undefined;
  readonly shape: EntryShape;
  readonly fields: readonly ReadableScalar[];
  readonly populate: readonly Population[];
}

/** What is shown of a component item. */
export interface ItemSelection {
  /** `category.name` */
  readonly uid: string;
  readonly fields: readonly ReadableScalar[];
  readonly populate: readonly Population[];
}

export type Population =
  | {
      readonly kind: 'relation';
      /** Where it stands in the query: `tags.books`. */
      readonly path: string;
      readonly relation: ReadableRelation | ReadableLocalizations;
      readonly window: Window;
      readonly entry: EntrySelection;
    }
  | {
      /** How many entries a list has, in place of the list. */
      readonly kind: 'count';
      readonly shape: EntryShape;
      readonly relation: ReadableRelation | ReadableLocalizations;
      readonly live: boolean;
      readonly filter: Filter | undefined;
    }
  | {
      readonly kind: 'morph';
      readonly shape: EntryShape;
      readonly path: string;
      readonly relation: ReadableMorph;
      /** The targets that are shown, with the column of each. */
      readonly targets: readonly { readonly column: string; readonly entry: EntrySelection }[];
      readonly start: number;
      readonly limit: number | undefined;
    }
  | {
      readonly kind: 'component';
      readonly component: ReadableComponent;
      readonly window: Window;
      readonly item: ItemSelection;
    }
  | {
      readonly kind: 'zone';
      readonly zone: ReadableZone;
      readonly start: number;
      readonly limit: number | undefined;
      /** The items of components that are not in it are left out. */
      readonly items: readonly ItemSelection[];
    };

/** A page by key: the entries behind a place in the list, or its first ones. */
export interface KeyPage {
  readonly kind: 'key';
  readonly pageSize: number;
  readonly withCount: boolean;
  /** Undefined: the first page. */
  readonly place: Place | undefined;
  /** Of the list: see `cursor.ts`. */
  readonly mark: string;
}

/** A page by its number, or by how many entries come before it. */
export type NumberedPage =
  | { readonly kind: 'page'; readonly page: number; readonly pageSize: number; readonly withCount: boolean }
  | { readonly kind: 'offset'; readonly start: number; readonly limit: number; readonly withCount: boolean };

/** What a list shows besides its entries. */
export type PageMeta = KeyPage | NumberedPage;

/** Which rows of a localized type: of one locale, or of all. */
export type LocaleFilter = { readonly kind: 'all' } | { readonly kind: 'locale'; readonly locale: string };

/** What all reads of a type have in common. */
export interface ReadQuery {
  readonly entry: EntrySelection;
  readonly filter: Filter | undefined;
  /** As asked for, checked; undefined when it was not. Rows of localized types are restricted to it. */
  readonly locale: LocaleFilter | undefined;
}

/** A list: its `filter` holds the search too. */
export interface ListQuery extends ReadQuery {
  readonly sort: readonly SortKey[];
  readonly page: PageMeta;
  /** As far as entries are counted; undefined for all. */
  readonly maxCount: number | undefined;
}

/** A list of which a numbered page is shown. */
export interface NumberedListQuery extends ListQuery {
  readonly page: NumberedPage;
}

/** A list of which a page by key is shown. */
export interface KeyListQuery extends ListQuery {
  readonly page: KeyPage;
}
