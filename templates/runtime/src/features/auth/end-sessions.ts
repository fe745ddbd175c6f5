/** Ends all sessions of a user at once: a JWT or cookie of an earlier generation is invalid. */
import { UnauthorizedError } from '../../contract/errors.ts';
import { sql } from '../../database/sql.ts';
import { accountById, changeAccount } from './accounts.ts';
import type { AuthContext } from './context.ts';

/** Ends all sessions, also one that a change of the password has kept. Throws UnauthorizedError if there is no such user. */
export async function endSessions({ database, userType, users }: AuthContext, id: number): Promise<void> {
  for (;;) {
    const account = await accountById(database, id);
    if (!account) throw new UnauthorizedError('Invalid credentials');
    const { tokenGeneration } = account;
    const condition = sql`token_generation = ${tokenGeneration}`;
    const input = { tokenGeneration: tokenGeneration + 1, keptSession: null };
    // Otherwise a concurrent request has ended them and may have started another one.
    if (await changeAccount(database, userType, { id, condition, input })) break;
  }
  users.forget(id);
}
