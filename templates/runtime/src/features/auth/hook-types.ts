/** The hooks of users, as the team writes them. */
import type { EntryId, EntryLink } from '../../contract/entry.ts';
import type { Awaitable, CollectionHooks, HookEvent, WrittenEvent } from '../../entries/hook-types.ts';

/** What somebody who registers sends. */
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

/** Changes of a user: what is not sent stays. */
export type UserUpdate = Partial<UserCreate>;

/** Why a session is to begin, or to go on. */
export type SignInBy = 'password' | 'registration' | 'change-password' | 'reset-password' | 'refresh';

/**
 * Hooks of users: of `/api/users`, and of registration, which is a `create` too. `beforeUpdate` and `afterUpdate` are not called
 * where an account changes by itself: for a new password, a confirmed address. `Further` are the attributes that the schema adds,
 * `Registered` those of them that people may give when they register.
 */
export interface UserHooks<User, Entries = unknown, Further = unknown, Registered = unknown> extends CollectionHooks<
  User,
  UserCreate & Further,
  UserUpdate & Further,
  Entries
> {
  /** Before `beforeCreate`. May return anything of a new user, such as a role, which no registration can ask for. */
  beforeRegister?(
    event: HookEvent<Entries> & { readonly data: RegistrationInput & Registered },
  ): Awaitable<Partial<UserCreate & Further> | void>;
  /** After `afterCreate`, in the same transaction. */
  afterRegister?(event: WrittenEvent<User, Entries>): Awaitable<void>;
  /**
   * Whether a user may have a session, once the password, the code or the former session is known to be good. `caller` is who
   * signs in. To refuse, throw an HttpError: nothing is changed then. Who may register and not sign in gets an account without a
   * session, as where addresses have to be confirmed.
   */
  beforeSignIn?(event: HookEvent<Entries> & { readonly user: User; readonly by: SignInBy }): Awaitable<void>;
}
