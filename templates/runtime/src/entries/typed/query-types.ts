/**
 * Queries as objects, typed by the entries that they are about. Attributes are told apart by their types: what is there only
 * when it was populated is optional, everything else is a field.
 */
import type { Entry, ToMany, ToOne } from '../../contract/entry.ts';

/** Names of relations, media, components and zones. */
export type LinkName<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T] & string;

/** Names of attributes that are always there. */
export type FieldName<T> = Exclude<keyof T & string, LinkName<T>>;

/** The attributes of what an attribute leads to: of the entries of a relation, of the items of a component. */
type TargetOf<V> =
  V extends ToMany<Entry<infer T>> ? T : V extends ToOne<Entry<infer T>> ? T : V extends readonly (infer T)[] ? T : V;

/** An item of a dynamic zone, an entry of a relation to several types. */
type Mixed =
  | readonly { readonly __component: string }[]
  | ToOne<{ readonly attributes: { readonly __type: string } }>
  | ToMany<{ readonly attributes: { readonly __type: string } }>;

/** Whether there is a value. */
interface Presence {
  readonly $null?: boolean;
  readonly $notNull?: boolean;
}

/** The operators on an attribute; all that are given must hold. */
interface Operators<V> extends Presence {
  readonly $eq?: V;
  readonly $ne?: V;
  readonly $lt?: V;
  readonly $lte?: V;
  readonly $gt?: V;
  readonly $gte?: V;
  readonly $in?: readonly V[];
  readonly $notIn?: readonly V[];
  readonly $between?: readonly [V, V];
  readonly $not?: V | this;
}

/** Those on text: with an `i` at the end, whatever the case. */
interface TextOperators<V> extends Operators<V> {
  readonly $eqi?: string;
  readonly $nei?: string;
  readonly $contains?: string;
  readonly $notContains?: string;
  readonly $containsi?: string;
  readonly $notContainsi?: string;
  readonly $startsWith?: string;
  readonly $startsWithi?: string;
  readonly $endsWith?: string;
  readonly $endsWithi?: string;
}

/** A value alone is `$eq`, a list `$in`. */
type Condition<V, O> = V | readonly V[] | O;

type FieldCondition<V> = [V] extends [string]
  ? Condition<V, TextOperators<V>>
  : [V] extends [number | boolean]
    ? Condition<V, Operators<V>>
    : Presence;

/** Related entries are named by their ids, or met by a filter of their own. */
type LinkCondition<V> = V extends Mixed
  ? never
  : V extends ToOne<unknown> | ToMany<unknown>
    ? number | readonly number[] | (Filters<TargetOf<V>> & Presence)
    : Filters<TargetOf<V>> & Presence;

/** `filters`: conditions by attribute, all of which must hold. */
export type Filters<T> = {
  readonly [K in FieldName<T>]?: FieldCondition<NonNullable<T[K]>>;
} & {
  readonly [K in LinkName<T>]?: LinkCondition<NonNullable<T[K]>>;
} & {
  readonly id?: Condition<number, Operators<number>>;
  readonly $and?: readonly Filters<T>[];
  readonly $or?: readonly Filters<T>[];
  readonly $not?: Filters<T> | readonly Filters<T>[];
};

type Direction = 'asc' | 'desc';

type SortText<T> = `${FieldName<T> | 'id'}${'' | ':asc' | ':desc'}`;

/** `{ author: { name: 'asc' } }` */
type SortPath<T> = { readonly [K in FieldName<T> | 'id']?: Direction } & {
  readonly [K in LinkName<T>]?: NonNullable<T[K]> extends Mixed ? never : SortPath<TargetOf<NonNullable<T[K]>>>;
};

/** `sort`: `'title'`, `'title:desc'`, `{ author: { name: 'asc' } }`, or a list of them. */
export type Sort<T> = SortText<T> | SortPath<T> | readonly (SortText<T> | SortPath<T>)[];

/** Which of the entries of a relation, or of the items of a component, are populated, and what within them. */
interface LinkOptions<T> {
  readonly filters?: Filters<T>;
  readonly sort?: Sort<T>;
  readonly start?: number;
  readonly limit?: number;
  readonly populate?: Populate<T>;
  readonly publicationState?: PublicationState;
}

/** The links of each of several types. */
type EachLinkName<T> = T extends unknown ? LinkName<T> : never;

/** Of zones and of relations to several types. `on` leaves out what it does not name. */
interface MixedOptions<Target> {
  readonly populate?: readonly EachLinkName<Target>[];
  readonly start?: number;
  readonly limit?: number;
  readonly on?: Target extends { readonly __component: infer Uid extends string }
    ? { readonly [U in Uid]?: true | { readonly populate?: Populate<Extract<Target, { readonly __component: U }>> } }
    : never;
}

type PopulateOptions<V> = V extends readonly (infer Item extends { readonly __component: string })[]
  ? MixedOptions<Item>
  : V extends Mixed
    ? MixedOptions<TargetOf<V>>
    : LinkOptions<TargetOf<V>>;

/** `populate` within what is populated. */
type Populate<T> = readonly LinkName<T>[] | { readonly [K in LinkName<T>]?: true | PopulateOptions<NonNullable<T[K]>> };

type PublicationState = 'live' | 'preview';

/** Which entries of which locale and state; `T` are the attributes of an entry. */
export interface EntryQuery<T> {
  readonly filters?: Filters<T>;
  /** A locale of the server, or `all`. */
  readonly locale?: string;
  readonly publicationState?: PublicationState;
}

/** Part of a list, by page or by offset. */
type Pagination = { readonly withCount?: boolean } & (
  | { readonly page?: number; readonly pageSize?: number; readonly start?: never; readonly limit?: never }
  | { readonly start?: number; readonly limit?: number; readonly page?: never; readonly pageSize?: never }
);

/** Which entries, in which order, and which part of them. */
export interface ListQuery<T> extends EntryQuery<T> {
  readonly sort?: Sort<T>;
  readonly pagination?: Pagination;
  /** Some text attribute contains this, whatever the case. */
  readonly _q?: string;
}

/**
 * What is answered of each entry: the fields `F`, which are all where none are named, and the links `P`. Related entries
 * have all their fields.
 */
export interface Selection<T, F extends FieldName<T>, P extends LinkName<T>> {
  readonly fields?: readonly F[];
  readonly populate?: readonly P[] | { readonly [K in P]?: true | PopulateOptions<NonNullable<T[K]>> };
}
