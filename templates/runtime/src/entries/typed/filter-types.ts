/**
 * Filters and sort keys as objects, typed by the entries that they are about. Attributes are told apart by their types: what is
 * there only when it was populated is optional, everything else is a field.
 */
import type { Entry, ToMany, ToOne } from '../../contract/entry.ts';

/** Names of relations, media, components and zones. */
export type LinkName<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T] & string;

/** Names of attributes that are always there. */
export type FieldName<T> = Exclude<keyof T & string, LinkName<T>>;

/** The attributes of what an attribute leads to: of the entries of a relation, of the items of a component. */
export type TargetOf<V> =
  V extends ToMany<Entry<infer T>> ? T : V extends ToOne<Entry<infer T>> ? T : V extends readonly (infer T)[] ? T : V;

/** An item of a dynamic zone, an entry of a relation to several types. */
export type Mixed =
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

/** What may stand for a value: a Date for its text. */
type Comparable<V> = string extends V ? V | Date : V;

type FieldCondition<V> = [V] extends [string]
  ? Condition<Comparable<V>, TextOperators<Comparable<V>>>
  : [V] extends [number | boolean]
    ? Condition<V, Operators<V>>
    : Presence;

/** What names an entry: its id, and its document id where it has one. */
type KeyOf<T> = T extends { readonly documentId: string } ? number | string : number;

/** Related entries are named by their ids, or met by a filter of their own. */
type LinkCondition<V> = V extends Mixed
  ? never
  : V extends ToOne<unknown> | ToMany<unknown>
    ? KeyOf<TargetOf<V>> | readonly KeyOf<TargetOf<V>>[] | (Filters<TargetOf<V>> & Presence)
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
