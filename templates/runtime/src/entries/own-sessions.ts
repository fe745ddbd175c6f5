/** Sessions for the project's own code: a sign-in of its own, or the end of all sessions of a user. */

/** A session: `jwt` is what clients send as `Authorization: Bearer`. */
export interface StartedSession {
  readonly jwt: string;
}

export interface OwnSessions {
  /**
   * Starts a session for a user whom your code has identified. Runs `beforeSignIn`, with `by` `own-code`. Throws NotFoundError if there
   * is no such user, ForbiddenError if they are blocked, or must confirm their address first.
   */
  start(userId: number): Promise<StartedSession>;
  /** A new token for the session of this one. Throws UnauthorizedError if the session has ended. */
  refresh(jwt: string): Promise<StartedSession>;
  /** Ends all sessions of a user. Throws NotFoundError. */
  end(userId: number): Promise<void>;
}
