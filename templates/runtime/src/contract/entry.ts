/** The shapes of the answer, for generated types and for the team's own code. */

/** One entry as it is answered. */
export interface Entry<Attributes> {
  readonly id: number;
  readonly attributes: Attributes;
  readonly meta: { readonly availableLocales: readonly LocaleOf[] };
}

/** Another locale of a localized entry. */
export interface LocaleOf {
  readonly id: number;
  readonly locale: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly publishedAt?: string | null;
}

/** A populated relation to one entry, and to many. */
export interface ToOne<E> {
  readonly data: E | null;
}
export interface ToMany<E> {
  readonly data: readonly E[];
}

/** The id of an entry in a request: a number, or its decimal text. */
export type EntryId = number | string;

/** One entry by link object; `type` is needed for relations with several target types. */
export interface EntryLink {
  readonly id: EntryId;
  readonly type?: string;
}

/** Where a connected entry goes. */
export type RelationPosition =
  | { readonly before: EntryId | EntryLink }
  | { readonly after: EntryId | EntryLink }
  | { readonly start: true }
  | { readonly end: true };

/** The value of a relation attribute in a request. */
export type RelationInput =
  | EntryId
  | EntryLink
  | null
  | readonly (EntryId | EntryLink)[]
  | { readonly set: readonly (EntryId | EntryLink)[] }
  | {
      readonly connect?: readonly (EntryId | (EntryLink & { readonly position?: RelationPosition }))[];
      readonly disconnect?: readonly (EntryId | EntryLink)[];
    };
