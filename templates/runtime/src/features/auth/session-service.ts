/** Sessions that the project's own code starts and ends. */
import { ForbiddenError, NotFoundError, UnauthorizedError } from '../../contract/errors.ts';
import type { OwnSessions } from '../../entries/own-sessions.ts';
import { type Account, accountById, changeAccount } from './accounts.ts';
import type { Authenticator } from './authenticator.ts';
import type { AuthContext } from './context.ts';
import { maySignIn, refreshSession, startSession } from './sign-in.ts';
import { checkSignIn } from './user-hooks.ts';

export function ownSessions(context: AuthContext, authenticator: Authenticator): OwnSessions {
  const { database, userType, users, sessions } = context;
  async function get(userId: number): Promise<Account> {
    const account = await accountById(database, userId);
    if (!account) throw new NotFoundError();
    return account;
  }
  return {
    async start(userId) {
      const account = await get(userId);
      if (!maySignIn(context, account)) throw new ForbiddenError('This user may not sign in');
      await checkSignIn(context, account, { by: 'own-code', requestId: undefined });
      const { jwt } = await startSession(context, account);
      return { jwt };
    },
    async refresh(jwt) {
      const session = await sessions.verify(jwt);
      if (!session) throw new UnauthorizedError();
      await authenticator.caller(jwt);
      return refreshSession(context, session, { requestId: undefined });
    },
    async end(userId) {
      const { tokenGeneration } = await get(userId);
      const input = { tokenGeneration: tokenGeneration + 1, keptSession: null };
      await changeAccount(database, userType, { id: userId, input });
      users.forget(userId);
    },
  };
}
