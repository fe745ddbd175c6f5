/** Types of responses and of relations in requests, for generated types and for custom code. */

/** One entry in a response. */
export interface Entry<Attributes> {
  readonly id: number;
  readonly attributes: Attributes;
  readonly meta: { readonly availableLocales: readonly LocaleOf[] };
}

/** An entry of a type with document ids, for the server's own code. */
export interface DocumentEntry<Attributes> extends Entry<Attributes> {
  /** The same in all locales of the entry. */
  readonly documentId: string;
}

/** An entry as the server's own code reads it: with its private attributes. */
export type OwnEntry<E extends Entry<object>, Private> = Omit<E, 'attributes'> & {
  readonly attributes: E['attributes'] & Private;
};

/** Another locale of a localized entry. */
export interface LocaleOf {
  readonly id: number;
  readonly locale: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly publishedAt?: string | null;
}

/** A populated relation to one entry. */
export interface ToOne<E> {
  readonly data: E | null;
}

/** A populated relation to many entries. */
export interface ToMany<E> {
  readonly data: readonly E[];
}

/** The id of an entry in a request: a number, or its decimal text. */
export type EntryId = number | string;

/** Reference to an entry as an object. `type` is required in relations with several target types. */
export interface EntryLink {
  readonly id: EntryId;
  readonly type?: string;
}

/** Where `connect` inserts an entry into the list. */
export type RelationPosition =
  | { readonly before: EntryId | EntryLink }
  | { readonly after: EntryId | EntryLink }
  | { readonly start: true }
  | { readonly end: true };

/** One value of an array; on its own it counts as an array of one. */
type OneOrMany<T> = T | readonly T[];

/** An entry in a change: its id or, in a relation with several target types, its id and type. */
export type RelationElement = number | { readonly id: number; readonly type: string };

/**
 * A change of a relation in the data of hooks, always in this form whatever the request contained: `set` replaces all related entries;
 * otherwise those in `connect` are added or moved, to the end if they have no `position`.
 */
export type RelationChanges =
  | { readonly set: readonly RelationElement[]; readonly connect?: never; readonly disconnect?: never }
  | {
      readonly connect: readonly (
        RelationElement | { readonly id: number; readonly type?: string; readonly position: RelationPosition }
      )[];
      readonly disconnect: readonly RelationElement[];
      readonly set?: never;
    };

/** Data of a request as hooks get it. */
export type HookData<Data> = {
  [Name in keyof Data]: unknown extends Data[Name]
    ? Data[Name]
    : [EntryLink] extends [Data[Name]]
      ? RelationChanges
      : Data[Name];
};

/** The value of a relation attribute in a request: entries, changes of the list, or what a response contained. */
export type RelationInput =
  | null
  | OneOrMany<EntryId | EntryLink>
  | { readonly set: OneOrMany<EntryId | EntryLink> }
  | {
      readonly connect?: OneOrMany<EntryId | (EntryLink & { readonly position?: RelationPosition })>;
      readonly disconnect?: OneOrMany<EntryId | EntryLink>;
    }
  | { readonly data: OneOrMany<EntryLink> | null };
