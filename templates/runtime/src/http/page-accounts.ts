/** Accounts for pages that the server delivers: the session is in a cookie that scripts can't read. */
import type { Context } from 'koa';

/** A signed-in user. */
export interface PageUser {
  readonly user: { readonly id: number; readonly username: string; readonly email: string };
  readonly role: { readonly name: string; readonly type: string };
  readonly permissions: ReadonlySet<string>;
}

/** Unvalidated body for the first user, with the attributes that the schema adds to users. */
export interface FirstUser {
  readonly email: string;
  readonly password: string;
  readonly [attribute: string]: unknown;
}

/** `permission` is the one that a user needs for the page. */
export interface PageAccounts {
  /**
   * Signs in with the credentials in the body, and sets the cookie. Throws HttpError 400 for wrong credentials, 403 for a user without
   * the permission or a request that another site could have sent, and 429.
   */
  signIn(ctx: Context, permission: string): Promise<PageUser>;
  /** The user of a request. Throws UnauthorizedError if the caller is not a user. */
  current(ctx: Context): Promise<PageUser>;
  /** Ends the session in the cookie, if there is one. */
  signOut(ctx: Context): Promise<void>;
  /** Whether the server can mail a code for a new password. */
  resetsPasswords(): boolean;
  /** Whether there is a user who has the permission and can sign in. */
  hasUserWith(permission: string): Promise<boolean>;
  /** Type of the role that has this permission and the most others; undefined if no role has it. */
  roleWith(permission: string): Promise<string | undefined>;
  /**
   * Adds a user with a role, whoever the caller is, and signs in. Throws ValidationError, and HttpError 403 for a request that another
   * site could have sent.
   */
  addUser(ctx: Context, user: FirstUser, role: string): Promise<PageUser>;
}
