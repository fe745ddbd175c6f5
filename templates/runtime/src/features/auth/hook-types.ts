/** The types of user hooks, which a project implements. */
import type { Entry, EntryId, EntryLink } from '../../contract/entry.ts';
import type { CollectionEntries } from '../../entries/typed/entries.ts';
import type { Awaitable, CollectionHooks, HookEvent, WrittenEvent } from '../../entries/hook-types.ts';

/** The body of a registration. */
export interface RegistrationInput {
  username: string;
  email: string;
  password: string;
}

/** A new user. */
export interface UserCreate extends RegistrationInput {
  confirmed?: boolean | null;
  blocked?: boolean | null;
  role?: EntryId | EntryLink | null;
}

/** Changes to a user; absent attributes stay as they are. */
export type UserUpdate = Partial<UserCreate>;

/** Users as entries. `Further` are the attributes that the schema adds; passwords are hashed. */
export type UserEntries<User extends Entry<object>, Further = unknown> = CollectionEntries<
  User,
  UserCreate & Further,
  UserUpdate & Partial<Further>
>;

/** What starts or renews the session. */
export type SignInBy = 'password' | 'registration' | 'change-password' | 'reset-password' | 'refresh' | 'own-code';

/**
 * Hooks of users, for `/api/users` and for registration, which is also a `create`. `beforeUpdate` and `afterUpdate` are not called
 * when users change their password or confirm their address. `Further` are the attributes that the schema adds, `Registered` those of
 * them that may be set on registration.
 */
export interface UserHooks<User, Entries = unknown, Further = unknown, Registered = unknown> extends CollectionHooks<
  User,
  UserCreate & Further,
  UserUpdate & Further,
  Entries
> {
  /** Called before `beforeCreate`. May return any attribute of a new user, even a role, which the body can't set. */
  beforeRegister?(
    event: HookEvent<Entries> & { readonly data: RegistrationInput & Registered },
  ): Awaitable<Partial<UserCreate & Further> | void>;
  /** Called after `afterCreate`, in the same transaction. */
  afterRegister?(event: WrittenEvent<User, Entries>): Awaitable<void>;
  /**
   * Called before a session starts or is renewed, after the password, the code or the previous session was verified. `caller` is the
   * user who signs in. Throw an HttpError to refuse; then nothing is changed, except that a registration still creates the account,
   * without a session, as when the address must be confirmed first.
   */
  beforeSignIn?(event: HookEvent<Entries> & { readonly user: User; readonly by: SignInBy }): Awaitable<void>;
}
