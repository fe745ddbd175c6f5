/** A validated query: the tree from which SQL is compiled. All its names come from the descriptors. */
import type { Canonical } from '../contract/attribute-types/attribute-type.ts';
import type { ContentType } from '../contract/content-type.ts';
import type { Comparison, TextMatch } from '../contract/operators.ts';
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

/** Values are canonical, as the dialect binds them; `in` takes any number of them. Bound values are never part of the tree. */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly filters: readonly Filter[] }
  | { readonly kind: 'not'; readonly filter: Filter }
  /** Matches rows for which `filter` is not true: false, or, because of a null, neither. */
  | { readonly kind: 'unmet'; readonly filter: Filter }
  | { readonly kind: 'nothing' }
  /** The draft of the row, or what is published of it, was changed without the other. */
  | { readonly kind: 'modified' }
  | FieldFilter
  | {
      /** All words occur in the columns covered by the full-text index. */
      readonly kind: 'words';
      readonly index: string;
      /** In lower case, separated by spaces. */
      readonly words: Operand<string>;
    }
  | RelatedFilter
  | ItemFilter;

/** A condition on one field. */
export type FieldFilter =
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
      /** Whether to ignore case. */
      readonly fold: boolean;
      readonly value: Operand<string>;
    };

/** Matches if a related row matches `filter` or, without a filter, if there is any related row. */
export interface RelatedFilter {
  readonly kind: 'related';
  readonly relation: ReadableRelation | ReadableLocalizations;
  /** Ignores related drafts. */
  readonly live: boolean;
  /** Ignores related rows that don't match this. Unlike `filter`, it is never negated by an enclosing `not`. */
  readonly narrowed: Filter | undefined;
  readonly filter: Filter | undefined;
}

/** Matches if an item of a component attribute matches `filter` or, without a filter, if there is any item. */
export interface ItemFilter {
  readonly kind: 'item';
  readonly component: ReadableComponent;
  readonly filter: Filter | undefined;
}

/** One step of the path of a sort key. */
export type SortStep =
  | {
      readonly kind: 'relation';
      readonly relation: ReadableRelation;
      readonly live: boolean;
      readonly narrowed: Filter | undefined;
    }
  | { readonly kind: 'component'; readonly component: ReadableComponent };

export interface SortKey {
  /** From the entry to the row that has the field; empty for the entry itself. */
  readonly path: readonly SortStep[];
  readonly field: ReadableScalar;
  readonly descending: boolean;
}

/** A position in a list: the sort values of an entry, canonical or null, and its id. */
export interface CursorPosition {
  readonly values: readonly Canonical[];
  readonly id: number;
}

/** The position after which a page begins; null for a sort value that is null in all queries of the shape. */
export interface KeysetPosition {
  readonly values: readonly (Operand | null)[];
  readonly id: Operand<string>;
}

/** What is asked of rows: which of them, and in which order. */
export interface Question {
  readonly filter: Filter | undefined;
  readonly sort: readonly SortKey[];
}

/** Which rows, in which order. */
export interface PopulationWindow extends Question {
  /** The part of `filter` that the request itself asks for. */
  readonly asked: Filter | undefined;
  /** The offset. */
  readonly start: number;
  readonly limit: number | undefined;
}

/** Entries that a query may show. */
export interface VisibleEntries {
  readonly type: ContentType;
  /** Whether only published rows are included from here on. */
  readonly live: boolean;
  /** The filter that narrows the rows of the type. If a filter on them is next to it, that already includes it. */
  readonly narrowed: Filter | undefined;
}

/** What is shown of an entry. */
export interface EntrySelection extends VisibleEntries {
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
      /** Its path in the query, such as `tags.books`. */
      readonly path: string;
      readonly relation: ReadableRelation | ReadableLocalizations;
      readonly window: PopulationWindow;
      readonly entry: EntrySelection;
    }
  | {
      /** The number of entries in a list, in place of the list. */
      readonly kind: 'count';
      readonly shape: EntryShape;
      readonly relation: ReadableRelation | ReadableLocalizations;
      readonly live: boolean;
      readonly narrowed: Filter | undefined;
      readonly filter: Filter | undefined;
      /** The part of `filter` that the request itself asks for. */
      readonly asked: Filter | undefined;
    }
  | {
      readonly kind: 'morph';
      readonly shape: EntryShape;
      readonly path: string;
      readonly relation: ReadableMorph;
      /** The targets to show, with the column of each. */
      readonly targets: readonly { readonly column: string; readonly entry: EntrySelection }[];
      readonly start: number;
      readonly limit: number | undefined;
    }
  | {
      readonly kind: 'component';
      readonly component: ReadableComponent;
      readonly window: PopulationWindow;
      readonly item: ItemSelection;
    }
  | {
      readonly kind: 'zone';
      readonly zone: ReadableZone;
      readonly start: number;
      readonly limit: number | undefined;
      /** Items of other components are left out. */
      readonly items: readonly ItemSelection[];
    };

/** A page by keyset pagination: the entries after a position in the list, or the first ones. */
export interface KeysetPage {
  readonly kind: 'keyset';
  readonly pageSize: number;
  readonly withCount: boolean;
  /** Undefined: the first page. */
  readonly position: KeysetPosition | undefined;
  /** The fingerprint of the list: see `cursor.ts`. */
  readonly fingerprint: Operand<string>;
}

/** A page by number or by offset. */
export type NumberedPage =
  | { readonly kind: 'page'; readonly page: number; readonly pageSize: number; readonly withCount: boolean }
  | { readonly kind: 'offset'; readonly start: number; readonly limit: number; readonly withCount: boolean };

/** Any kind of page. */
export type PageMeta = KeysetPage | NumberedPage;

/** The rows of a localized type to read: those of one locale, or all. */
export type LocaleFilter =
  | {
      readonly kind: 'all';
      /** Not requested, but the filters are on the locale. */
      readonly implied?: true;
    }
  | { readonly kind: 'locale'; readonly locale: string };

/** Common to all reads of a type. */
export interface ReadQuery {
  readonly entry: EntrySelection;
  readonly filter: Filter | undefined;
  /** The part of `filter` that the request itself asks for; not by the status of a publication. */
  readonly asked: Filter | undefined;
  /** The requested locale, validated; undefined if none was requested. It restricts the rows of localized types. */
  readonly locale: LocaleFilter | undefined;
}

/** A list; its filters include the search. */
export interface ListQuery extends ReadQuery {
  readonly sort: readonly SortKey[];
  readonly page: PageMeta;
  /** The number at which counting stops; undefined to count all. */
  readonly maxCount: number | undefined;
}

/** A list with a numbered page. */
export interface NumberedListQuery extends ListQuery {
  readonly page: NumberedPage;
}

/** A list with a keyset page. */
export interface KeysetListQuery extends ListQuery {
  readonly page: KeysetPage;
}
