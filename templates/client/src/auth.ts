/** Sessions and the own account. */
import { type Connection, type RequestOptions, send } from './send.ts';

export interface Account {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  readonly provider: string | null;
  readonly confirmed: boolean | null;
  readonly blocked: boolean | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Keep `jwt` where the `token` of the client finds it, or make a client of the session by `withToken`. */
export interface Session {
  readonly jwt: string;
  readonly user: Account;
}

/** Throws ApiError: a ValidationError for credentials that are wrong. */
export interface Auth {
  /** `identifier`: address or user name. */
  login(
    credentials: { readonly identifier: string; readonly password: string },
    options?: RequestOptions,
  ): Promise<Session>;
  /** Without `jwt` where the address must be confirmed first. */
  register(
    account: { readonly username: string; readonly email: string; readonly password: string },
    options?: RequestOptions,
  ): Promise<Partial<Session> & Pick<Session, 'user'>>;
  /** Has a code sent, by which `resetPassword` replaces the password. */
  forgotPassword(body: { readonly email: string }, options?: RequestOptions): Promise<unknown>;
  resetPassword(
    body: { readonly code: string; readonly password: string; readonly passwordConfirmation: string },
    options?: RequestOptions,
  ): Promise<Session>;
  /** Ends the earlier sessions: go on with the `jwt` of the answer. */
  changePassword(
    body: { readonly currentPassword: string; readonly password: string; readonly passwordConfirmation: string },
    options?: RequestOptions,
  ): Promise<Session>;
  sendEmailConfirmation(body: { readonly email: string }, options?: RequestOptions): Promise<unknown>;
  /** A new token for who is signed in. */
  refresh(options?: RequestOptions): Promise<Pick<Session, 'jwt'>>;
  /** Who is signed in. */
  me(options?: RequestOptions): Promise<Account>;
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
