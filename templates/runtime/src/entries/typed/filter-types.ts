/**
 * Filters and sort keys as objects, typed by the entries they apply to. The attributes' types tell links from fields: links,
 * which are present only if populated, are optional; all others are fields.
 */
import type { Entry, ToMany, ToOne } from '../../contract/entry.ts';
import type { OperandKind, OperatorsOn } from '../../contract/operators.ts';

/** Names of relations, media, components and dynamic zones. */
export type LinkName<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T] & string;

/** Names of attributes that are always present. */
export type FieldName<T> = Exclude<keyof T & string, LinkName<T>>;

/** The attributes behind a link: those of a relation's entries, or of a component's items. */
export type TargetOf<V> =
  V extends ToMany<Entry<infer T>> ? T : V extends ToOne<Entry<infer T>> ? T : V extends readonly (infer T)[] ? T : V;

/** Links with several kinds of targets: dynamic zones and polymorphic relations. */
export type Mixed =
  | readonly { readonly __component: string }[]
  | ToOne<{ readonly attributes: { readonly __type: string } }>
  | ToMany<{ readonly attributes: { readonly __type: string } }>;

/** The operators whose operand is of a kind. */
type On<Kind extends OperandKind, V> = { readonly [Name in OperatorsOn<Kind>]?: V };

/** Whether there is a value. */
type Presence = On<'flag', boolean>;

/** The operators on an attribute; all that are given must hold. */
interface Operators<V> extends Presence, On<'value', V>, On<'values', readonly V[]>, On<'range', readonly [V, V]> {
  readonly $not?: V | this;
}

/** The operators on strings: those that end in `i` ignore case. */
interface TextOperators<V> extends Operators<V>, On<'text', string> {}

/** A bare value means `$eq`, a list `$in`. */
type Condition<V, O> = V | readonly V[] | O;

/** What a value can be compared with: for strings also a Date. */
type Comparable<V> = string extends V ? V | Date : V;

type FieldCondition<V> = [V] extends [string]
  ? Condition<Comparable<V>, TextOperators<Comparable<V>>>
  : [V] extends [number | boolean]
    ? Condition<V, Operators<V>>
    : Presence;

/** Identifies an entry: by id or, if it has one, by document id. */
type KeyOf<T> = T extends { readonly documentId: string } ? number | string : number;

/** How many rows of a list must match: at least one, none, or each. */
interface Quantifiers<F> {
  readonly $some?: F;
  readonly $none?: F;
  readonly $every?: F;
}

/** Related entries are matched by id, or by a nested filter. */
type EntryCondition<T> = KeyOf<T> | readonly KeyOf<T>[] | Filters<T>;

type LinkCondition<V> = V extends Mixed
  ? never
  : V extends ToMany<unknown>
    ? EntryCondition<TargetOf<V>> | (Filters<TargetOf<V>> & Presence & Quantifiers<EntryCondition<TargetOf<V>>>)
    : V extends ToOne<unknown>
      ? EntryCondition<TargetOf<V>> | (Filters<TargetOf<V>> & Presence)
      : V extends readonly unknown[]
        ? Filters<TargetOf<V>> & Presence & Quantifiers<Filters<TargetOf<V>>>
        : Filters<TargetOf<V>> & Presence;

/** `filters`: conditions by attribute, all of which must hold. */
export type Filters<T> = {
  readonly [K in FieldName<T>]?: FieldCondition<NonNullable<T[K]>>;
} & {
  readonly [K in LinkName<T>]?: LinkCondition<NonNullable<T[K]>>;
} & {
  readonly id?: Condition<number, Operators<number>>;
  /** Only for types with document ids. */
  readonly documentId?: Condition<string, TextOperators<string>>;
  readonly $and?: readonly Filters<T>[];
  readonly $or?: readonly Filters<T>[];
  readonly $not?: Filters<T> | readonly Filters<T>[];
};

type Direction = 'asc' | 'desc';

type SortText<T> = `${FieldName<T> | 'id'}${'' | ':asc' | ':desc'}`;

/** Such as `{ author: { name: 'asc' } }`. */
type SortPath<T> = { readonly [K in FieldName<T> | 'id']?: Direction } & {
  readonly [K in LinkName<T>]?: NonNullable<T[K]> extends Mixed ? never : SortPath<TargetOf<NonNullable<T[K]>>>;
};

/** `sort`: `'title'`, `'title:desc'`, `{ author: { name: 'asc' } }`, or a list of them. */
export type Sort<T> = SortText<T> | SortPath<T> | readonly (SortText<T> | SortPath<T>)[];
