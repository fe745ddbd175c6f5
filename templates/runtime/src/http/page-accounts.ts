/** What the feature of accounts does for pages that the server itself delivers: sessions in a cookie, which no script sees. */
import type { Context } from 'koa';

/** A user with a session. */
export interface PageUser {
  readonly user: { readonly id: number; readonly username: string; readonly email: string };
  readonly role: { readonly name: string; readonly type: string };
  readonly permissions: ReadonlySet<string>;
}

/** As a body has it, with the attributes that the schema adds to users. */
export interface FirstUser {
  readonly email: string;
  readonly password: string;
  readonly [attribute: string]: unknown;
}

/** `permission`: what a user needs who may use the page. */
export interface PageAccounts {
  /**
   * Signs in with the name and the password of the body, and sets the cookie. Throws HttpError 400 for wrong ones, 403 for a user
   * without the permission or a request that another site could have sent, and 429.
   */
  signIn(ctx: Context, permission: string): Promise<PageUser>;
  /** Who asks. Throws UnauthorizedError where that is no user. */
  current(ctx: Context): Promise<PageUser>;
  /** Ends the session of the cookie, if there is one. */
  signOut(ctx: Context): Promise<void>;
  /** Whether there is somebody who may sign in and has the permission. */
  hasUserWith(permission: string): Promise<boolean>;
  /** Of the roles with the permission the one that may do the most, by its type; undefined: none has it. */
  roleWith(permission: string): Promise<string | undefined>;
  /**
   * Adds a user with a role, whoever asks, and signs in. Throws ValidationError,
   * and HttpError 403 for a request that another site could have sent.
   */
  addUser(ctx: Context, user: FirstUser, role: string): Promise<PageUser>;
}
