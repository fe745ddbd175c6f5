/** Sessions and the own account. */
import { type Connection, type RequestOptions, send } from './send.ts';

export interface Account {
  readonly id: number;
  /** Where entries have one. */
  readonly documentId?: string;
  readonly username: string;
  readonly email: string;
  readonly provider: string | null;
  readonly confirmed: boolean | null;
  readonly blocked: boolean | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** What the server says of a user: `Further` are the attributes that its schema adds. */
type User<Further> = Account & Further;

/** Keep `jwt` where the `token` of the client finds it, or make a client of the session by `withToken`. */
export interface Session<Further = unknown> {
  readonly jwt: string;
  readonly user: User<Further>;
}

/**
 * Throws ApiError: a ValidationError for credentials that are wrong. `Further` are the attributes that the schema adds to users,
 * `Registered` those that people give when they register.
 */
export interface Auth<Further = unknown, Registered = unknown> {
  /** `identifier`: address or user name. */
  login(
    credentials: { readonly identifier: string; readonly password: string },
    options?: RequestOptions,
  ): Promise<Session<Further>>;
  /** Without `jwt` where the address must be confirmed first. */
  register(
    account: { readonly username: string; readonly email: string; readonly password: string } & Registered,
    options?: RequestOptions,
  ): Promise<Partial<Session<Further>> & Pick<Session<Further>, 'user'>>;
  /** Has a code sent, by which `resetPassword` replaces the password. */
  forgotPassword(body: { readonly email: string }, options?: RequestOptions): Promise<unknown>;
  resetPassword(
    body: { readonly code: string; readonly password: string; readonly passwordConfirmation: string },
    options?: RequestOptions,
  ): Promise<Session<Further>>;
  /** Ends the earlier sessions: go on with the `jwt` of the answer. */
  changePassword(
    body: { readonly currentPassword: string; readonly password: string; readonly passwordConfirmation: string },
    options?: RequestOptions,
  ): Promise<Session<Further>>;
  sendEmailConfirmation(body: { readonly email: string }, options?: RequestOptions): Promise<unknown>;
  /** A new token for who is signed in. */
  refresh(options?: RequestOptions): Promise<Pick<Session, 'jwt'>>;
  /** Who is signed in. */
  me(options?: RequestOptions): Promise<User<Further>>;
}

export function authOf(connection: Connection): Auth {
  const post = (path: string) => (body: object, options?: RequestOptions) =>
    send(connection, { method: 'POST', path: `auth/${path}`, body, options }) as Promise<never>;
  return {
    login: post('local'),
    register: post('local/register'),
    forgotPassword: post('forgot-password'),
    resetPassword: post('reset-password'),
    changePassword: post('change-password'),
    sendEmailConfirmation: post('send-email-confirmation'),
    refresh: (options) => post('refresh')({}, options),
    me: (options) => send(connection, { method: 'GET', path: 'users/me', options }) as Promise<Account>,
  };
}
