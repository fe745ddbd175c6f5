/** Resolves credentials to the caller of a request. */
import { UnauthorizedError } from '../../contract/errors.ts';
import type { Access } from '../../access/access.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import { isApiToken } from './api-tokens.ts';
import type { EndedSessions } from './ended-sessions.ts';
import type { SessionCookie } from './session-cookie.ts';
import type { Session, Sessions, Verified } from './sessions.ts';
import type { TokenCallers } from './token-callers.ts';
import { callerOfAccount } from './caller-of-account.ts';
import type { UserStates } from './user-states.ts';

export interface Authenticator {
  /** Reloads stale permissions; usually there is nothing to wait for, and it returns undefined. */
  refresh(): Promise<void> | undefined;
  /** The caller of requests without credentials. */
  publicCaller(): Caller;
  /**
   * The caller with this token from a cookie, and their session. Throws UnauthorizedError if it is invalid or expired, or its session
   * has ended.
   */
  cookieCaller(token: string): Promise<{ readonly caller: Caller; readonly session: Verified }>;
  /** The caller with these credentials. Throws UnauthorizedError if they are invalid or expired. */
  caller(credentials: string): Promise<Caller>;
  /** Call after a successful request with these credentials. */
  used(credentials: string): void;
}

/** The bearer token of an `Authorization` header; undefined for another scheme, or if it is malformed. */
export function credentialsOf(header: string): string | undefined {
  const [scheme, credentials, ...rest] = header.split(/\s+/);
  return scheme?.toLowerCase() === 'bearer' && credentials && rest.length === 0 ? credentials : undefined;
}

export function createAuthenticator(options: {
  readonly access: Access;
  readonly sessions: Sessions;
  readonly users: UserStates;
  readonly tokens: TokenCallers;
  readonly cookie: SessionCookie | undefined;
  readonly ended: EndedSessions;
  /** Whether users must have confirmed their address. */
  readonly needsConfirmation: boolean;
}): Authenticator {
  const { access, sessions, users, tokens, cookie, ended, needsConfirmation } = options;

  async function userCaller({ userId, generation, id }: Session): Promise<Caller> {
    const user = await users.get(userId);
    const isCurrent = user?.tokenGeneration === generation || (id !== undefined && user?.keptSession === id);
    if (!user || !isCurrent || user.blocked || (needsConfirmation && !user.confirmed)) {
      throw new UnauthorizedError('Invalid credentials');
    }
    return callerOfAccount(options, user);
  }

  return {
    refresh: () => access.refresh(),
    publicCaller: () => access.publicCaller(),
    async caller(credentials) {
      if (isApiToken(credentials)) return tokens.get(credentials);
      const session = await sessions.verify(credentials);
      if (!session) throw new UnauthorizedError();
      return userCaller(session);
    },
    async cookieCaller(token) {
      const session = await cookie?.sessions.verify(token);
      if (session?.id === undefined || (await ended.has(session.id))) throw new UnauthorizedError();
      return { caller: await userCaller(session), session };
    },
    used(credentials) {
      if (isApiToken(credentials)) tokens.used(credentials);
    },
  };
}
