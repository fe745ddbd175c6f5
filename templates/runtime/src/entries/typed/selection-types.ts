/**
 * The types of responses, by `fields` and `populate`, to any depth. `T` are the attributes of an entry, or of a component's item:
 * see `LinkName`.
 */
import type { Entry, ToMany, ToOne } from '../../contract/entry.ts';
import type { FieldName, Filters, LinkName, Mixed, Sort, TargetOf } from './filter-types.ts';

/**
 * `nested`: `{id, attributes, meta}`, with relations in `{data}`; `sparse`: the same, with `meta` only if the type is localized;
 * `flat`: everything in one object.
 */
export type Format = 'nested' | 'sparse' | 'flat';

export type PublicationState = 'live' | 'preview';

/** Entries with document ids take the status of the query that populates them. */
type StateWithin<T> = T extends { readonly documentId: string } ? never : PublicationState;

/** The parameter `fields`. */
export type Fields<T> = readonly (FieldName<T> | 'id')[];

/** Which entries of a relation, or items of a component, to populate, and what to return of them. */
interface LinkOptions<T, P = Populate<T>> {
  readonly fields?: Fields<T>;
  readonly filters?: Filters<T>;
  readonly sort?: Sort<T>;
  readonly start?: number;
  readonly limit?: number;
  readonly populate?: P;
  readonly publicationState?: StateWithin<T>;
  /** Returns their number in place of them. */
  readonly count?: true;
}

/** What to return of one kind of target. */
interface FragmentOptions<T> {
  readonly fields?: Fields<T>;
  readonly populate?: Populate<T>;
}

type EachLinkName<Target> = Target extends unknown ? LinkName<Target> : never;

/** The name by which responses identify a kind of target. */
type KindOf<Target> = Target extends { readonly __component: infer Uid extends string }
  ? Uid
  : Target extends { readonly __type: infer Uid extends string }
    ? Uid
    : never;

type OfKind<Target, Kind> = Target extends { readonly __component: Kind } | { readonly __type: Kind } ? Target : never;

/** Options of dynamic zones and polymorphic relations. `on` excludes the kinds it does not name. */
interface MixedOptions<Target> {
  readonly populate?: '*' | readonly (EachLinkName<Target> | '*')[];
  readonly start?: number;
  readonly limit?: number;
  readonly publicationState?: PublicationState;
  readonly on?: { readonly [Kind in KindOf<Target>]?: true | FragmentOptions<OfKind<Target, Kind>> };
}

/** The attributes behind a link, including links with several kinds of targets. */
type LinkTarget<V> = V extends ToMany<infer E> | ToOne<infer E>
  ? E extends Entry<unknown>
    ? E['attributes']
    : never
  : TargetOf<V>;

type OptionsOf<V> = V extends Mixed ? MixedOptions<LinkTarget<V>> : LinkOptions<TargetOf<V>>;

/** The object form of `populate`. */
type PopulateOptions<T> = { readonly [K in LinkName<T>]?: true | OptionsOf<NonNullable<T[K]>> };

type LinkNames<T> = readonly (LinkName<T> | '*')[];

/** `populate`: all links, one, some, or each with its options. */
export type Populate<T> = '*' | LinkName<T> | LinkNames<T> | PopulateOptions<T>;

/** `Populate<T>`, reduced at each depth to the form that `P` has: in a union of forms, the compiler can't locate a mistake. */
type InFormOf<P, T> = P extends string
  ? LinkName<T> | '*'
  : P extends readonly unknown[]
    ? LinkNames<T>
    : P extends object
      ? { readonly [K in LinkName<T>]?: true | OptionsInFormOf<K extends keyof P ? P[K] : true, NonNullable<T[K]>> }
      : Populate<T>;

type OptionsInFormOf<O, V> = V extends Mixed
  ? MixedOptions<LinkTarget<V>>
  : LinkOptions<
      TargetOf<V>,
      O extends { readonly populate: infer P } ? InFormOf<P, TargetOf<V>> : Populate<TargetOf<V>>
    >;

type KeysOf<S> = S extends unknown ? keyof S : never;
type Member<S, K> = S extends unknown ? (K extends keyof S ? S[K] : never) : never;
type Objects<S> = S extends object ? (S extends readonly unknown[] ? never : S) : never;

/** The names in `P` that no form of `S` has, at any depth: `never` if there are none. */
type Unknown<P, S> = P extends Date | readonly string[]
  ? never
  : P extends readonly (infer I)[]
    ? Unknown<I, S extends readonly (infer J)[] ? J : never>
    : P extends object
      ? { [K in keyof P]-?: K extends KeysOf<Objects<S>> ? Unknown<P[K], Member<Objects<S>, K>> : K }[keyof P]
      : never;

/**
 * `P` if it populates only existing links. Otherwise the type that `P` should have, so that the compiler reports an unknown name
 * as it does for other objects.
 */
export type Checked<P, T> = [P] extends [Populate<T> | undefined]
  ? [Unknown<P, Populate<T>>] extends [never]
    ? P
    : InFormOf<P, T>
  : InFormOf<P, T>;

/** Merges an intersection into one object type. */
type Merged<T> = { [K in keyof T]: T[K] };

/** What identifies an entry or item and its kind: always included. */
type Always<T> = Extract<keyof T, 'id' | 'documentId' | '__component' | '__type'>;

type FieldsOf<T, F> = F extends readonly [string, ...string[]]
  ? Pick<T, (F[number] & keyof T) | Always<T>>
  : F extends readonly []
    ? Pick<T, FieldName<T>>
    : // A list whose names the compiler does not know.
      Partial<Pick<T, FieldName<T>>> & Pick<T, Always<T>>;

type LinksOf<T, P, X extends Format> = P extends '*'
  ? { readonly [K in LinkName<T> & keyof T]: Link<Exclude<T[K], undefined>, true, X> }
  : P extends string
    ? { readonly [K in P & keyof T]: Link<Exclude<T[K], undefined>, true, X> }
    : P extends readonly string[]
      ? '*' extends P[number]
        ? LinksOf<T, '*', X>
        : number extends P['length']
          ? { readonly [K in P[number] & keyof T]?: Link<Exclude<T[K], undefined>, true, X> }
          : { readonly [K in P[number] & keyof T]: Link<Exclude<T[K], undefined>, true, X> }
      : P extends object
        ? { readonly [K in keyof P as K & LinkName<T>]: Link<Exclude<T[K & keyof T], undefined>, P[K], X> }
        : unknown;

/** The selected fields, and the populated links. */
type Selected<T, F, P, X extends Format> = FieldsOf<T, F> & LinksOf<T, P, X>;

/** The response for an entry with attributes `T`, for `fields` `F` and `populate` `P`. */
export type Answer<T, F, P, X extends Format = 'nested'> = X extends 'flat'
  ? Merged<{ readonly id: number } & Selected<T, F, P, X>>
  : X extends 'sparse'
    ? SparseEntry<Merged<Selected<T, F, P, X>>, T>
    : Entry<Merged<Selected<T, F, P, X>>>;

type SparseEntry<A, T> = T extends { readonly locale: string } ? Entry<A> : Omit<Entry<A>, 'meta'>;

type Counted<X extends Format> = X extends 'flat'
  ? { readonly count: number }
  : { readonly data: { readonly attributes: { readonly count: number } } };

type FieldsIn<O> = O extends { readonly fields: infer F } ? F : readonly [];
type PopulateIn<O> = O extends { readonly populate: infer P } ? P : undefined;

/** The document id of entries that have one beside their attributes: in the server's own code. */
export type Documented<E> = E extends { readonly documentId: string } ? { readonly documentId: string } : unknown;

/** The options for one kind of target: `never` if `on` excludes it. */
type OptionsFor<T, O> = O extends { readonly on: infer On } ? (KindOf<T> extends keyof On ? On[KindOf<T>] : never) : O;

type Related<E, O, X extends Format> =
  E extends Entry<unknown> ? RelatedAs<E['attributes'], OptionsFor<E['attributes'], O>, X> & Documented<E> : never;
type RelatedAs<T, O, X extends Format> = O extends unknown ? Answer<T, FieldsIn<O>, PopulateIn<O>, X> : never;

type Item<T, O, X extends Format> = T extends unknown ? ItemAs<T, OptionsFor<T, O>, X> : never;
type ItemAs<T, O, X extends Format> = O extends unknown ? Merged<Selected<T, FieldsIn<O>, PopulateIn<O>, X>> : never;

/** The response for the value `V` of a link, for its options `O`. */
type Link<V, O, X extends Format> = O extends { readonly count: true }
  ? Counted<X>
  : V extends ToMany<infer E>
    ? X extends 'flat'
      ? readonly Related<E, O, X>[]
      : ToMany<Related<E, O, X>>
    : V extends ToOne<infer E>
      ? X extends 'flat'
        ? Related<E, O, X> | null
        : ToOne<Related<E, O, X>>
      : V extends readonly (infer I)[]
        ? readonly Item<I, O, X>[]
        : V extends object
          ? Item<V, O, X>
          : V;
