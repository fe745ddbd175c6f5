/** The types of request bodies, inferred from the validators, to be compared with the generated types. */
import type { EntryId } from '../../contract/entry.ts';
import type { Field, Fields, Presence } from './field.ts';

type Simplify<T> = { [K in keyof T]: T[K] };

type InputOf<F> = F extends Field<infer Input> ? Input : never;
type PresenceOf<F> = F extends Field<unknown, infer P> ? P : never;

type NamesOf<F extends Fields, P extends Presence> = {
  [K in keyof F]: PresenceOf<F[K]> extends P ? K : never;
}[keyof F];

/** The body that creates an entry. */
export type CreateInput<F extends Fields> = Simplify<
  { -readonly [K in NamesOf<F, 'required'>]: InputOf<F[K]> } & {
    -readonly [K in NamesOf<F, 'filled'>]?: InputOf<F[K]>;
  } & { -readonly [K in NamesOf<F, 'optional'>]?: InputOf<F[K]> | null }
>;

/** The body that updates an entry: any subset of the attributes, with null only for those that can be cleared. */
export type UpdateInput<F extends Fields> = Simplify<
  { -readonly [K in NamesOf<F, 'required' | 'filled'>]?: InputOf<F[K]> } & {
    -readonly [K in NamesOf<F, 'optional'>]?: InputOf<F[K]> | null;
  }
>;

/** The body of a draft: any subset of the attributes, with null for those that are still missing. */
export type DraftInput<T> = { [K in keyof T]?: T[K] | null };

/** A component in a request: with an `id`, an update of a stored one, with any subset of its attributes; without, a new one. */
export type ComponentInput<F extends Fields> = Simplify<{ id?: EntryId } & UpdateInput<F>>;

/** The options of a content type that affect validation. */
export interface EntryOptions {
  readonly unknownAttributes: 'reject' | 'ignore';
  /** `publishedAt` can be set; it is null for drafts. */
  readonly draftAndPublish: boolean;
  /** `locale` can be set on create. */
  readonly localized: boolean;
}

type WithSystem<Input, O extends EntryOptions, Localized extends boolean> = {
  [K in keyof Input]: Input[K];
} & (O['draftAndPublish'] extends true ? { publishedAt?: string | number | null } : unknown) &
  (Localized extends true ? { locale?: string } : unknown);

type Lenient<Input, O extends EntryOptions> = O['draftAndPublish'] extends true ? DraftInput<Input> : Input;

/** The body that creates an entry. For types with drafts, it may be incomplete. */
export type EntryCreate<F extends Fields, O extends EntryOptions> = WithSystem<
  Lenient<CreateInput<F>, O>,
  O,
  O['localized']
>;
/** The body that updates an entry. */
export type EntryUpdate<F extends Fields, O extends EntryOptions> = WithSystem<Lenient<UpdateInput<F>, O>, O, false>;
