/** The types of what requests may hold, computed from the validators, to be compared with the generated ones. */
import type { EntryId } from '../../contract/entry.ts';
import type { Field, Fields, Presence } from './field.ts';

type Simplify<T> = { [K in keyof T]: T[K] };

type InputOf<F> = F extends Field<infer Input> ? Input : never;
type PresenceOf<F> = F extends Field<unknown, infer P> ? P : never;

type NamesOf<F extends Fields, P extends Presence> = {
  [K in keyof F]: PresenceOf<F[K]> extends P ? K : never;
}[keyof F];

/** What a new entry may hold. */
export type CreateInput<F extends Fields> = Simplify<
  { -readonly [K in NamesOf<F, 'required'>]: InputOf<F[K]> } & {
    -readonly [K in NamesOf<F, 'filled'>]?: InputOf<F[K]>;
  } & { -readonly [K in NamesOf<F, 'optional'>]?: InputOf<F[K]> | null }
>;

/** What an update may hold: any part of the entry, null only where the attribute can be cleared. */
export type UpdateInput<F extends Fields> = Simplify<
  { -readonly [K in NamesOf<F, 'required' | 'filled'>]?: InputOf<F[K]> } & {
    -readonly [K in NamesOf<F, 'optional'>]?: InputOf<F[K]> | null;
  }
>;

/** What a draft may hold: any part of it, and null for what is still missing. */
export type DraftInput<T> = { [K in keyof T]?: T[K] | null };

/** A component in a request: one of the entry where it has an `id`, of which any part may be sent, else a new one. */
export type ComponentInput<F extends Fields> = Simplify<{ id?: EntryId } & UpdateInput<F>>;

export interface EntryOptions {
  readonly unknownAttributes: 'reject' | 'ignore';
  /** `publishedAt` can be set, and is null of drafts. */
  readonly draftAndPublish: boolean;
  /** `locale` can be set on create. */
  readonly localized: boolean;
}

type WithSystem<Input, O extends EntryOptions, Localized extends boolean> = {
  [K in keyof Input]: Input[K];
} & (O['draftAndPublish'] extends true ? { publishedAt?: string | number | null } : unknown) &
  (Localized extends true ? { locale?: string } : unknown);

type Lenient<Input, O extends EntryOptions> = O['draftAndPublish'] extends true ? DraftInput<Input> : Input;

/** What a create may hold: of types with drafts, also what only a draft may. */
export type EntryCreate<F extends Fields, O extends EntryOptions> = WithSystem<
  Lenient<CreateInput<F>, O>,
  O,
  O['localized']
>;
/** What an update may hold. */
export type EntryUpdate<F extends Fields, O extends EntryOptions> = WithSystem<Lenient<UpdateInput<F>, O>, O, false>;
