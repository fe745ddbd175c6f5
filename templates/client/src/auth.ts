/** Sessions, and the account of the signed-in user. */
import { type Connection, type RequestOptions, send } from './send.ts';

export interface Account {
  readonly id: number;
  /** Only if entries have document ids. */
  readonly documentId?: string;
  readonly username: string;
  readonly email: string;
  readonly provider: string | null;
  readonly confirmed: boolean | null;
  readonly blocked: boolean | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A user in a response; `Further` are the attributes that the schema adds. */
type User<Further> = Account & Further;

/** Store `jwt` where the client's `token` function finds it, or create a client for the session with `withToken`. */
export interface Session<Further = unknown> {
  readonly jwt: string;
  readonly user: User<Further>;
}

/**
 * Methods throw ApiError, with the name ValidationError for wrong credentials. `Further` are the attributes that the schema adds to
 * users, `Registered` those that are set on registration.
 */
export interface Auth<Further = unknown, Registered = unknown> {
  /** `identifier`: email address or user name. */
  login(
    credentials: { readonly identifier: string; readonly password: string },
    options?: RequestOptions,
  ): Promise<Session<Further>>;
  /** Resolves without `jwt` if the address must be confirmed first. */
  register(
    account: { readonly username: string; readonly email: string; readonly password: string } & Registered,
    options?: RequestOptions,
  ): Promise<Partial<Session<Further>> & Pick<Session<Further>, 'user'>>;
  /** Requests a mail with the code that `resetPassword` needs. */
  forgotPassword(body: { readonly email: string }, options?: RequestOptions): Promise<unknown>;
  resetPassword(
    body: { readonly code: string; readonly password: string; readonly passwordConfirmation: string },
    options?: RequestOptions,
  ): Promise<Session<Further>>;
  /** Ends all earlier sessions: use the returned `jwt` from then on. */
  changePassword(
    body: { readonly currentPassword: string; readonly password: string; readonly passwordConfirmation: string },
    options?: RequestOptions,
  ): Promise<Session<Further>>;
  sendEmailConfirmation(body: { readonly email: string }, options?: RequestOptions): Promise<unknown>;
  /** A new token for the signed-in user. */
  refresh(options?: RequestOptions): Promise<Pick<Session, 'jwt'>>;
  /** Ends all sessions of the signed-in user, including this one. */
  endSessions(options?: RequestOptions): Promise<unknown>;
  /** The signed-in user. */
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
    endSessions: (options) => post('end-sessions')({ all: true }, options),
    me: (options) => send(connection, { method: 'GET', path: 'users/me', options }) as Promise<Account>,
  };
}
