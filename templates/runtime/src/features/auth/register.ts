/** Registration. */
import { UniqueViolation } from '../../database/database.ts';
import { sql } from '../../database/sql.ts';
import type { LaterSteps } from '../../database/write-plan.ts';
import type { HttpError } from '../../contract/errors.ts';
import type { Client } from '../../base/client.ts';
import { AUTHENTICATED } from '../../access/role-rows.ts';
import { hashPassword } from '../../base/password.ts';
import { type Account, accountById, findAccounts, insertAccount, normaliseEmail } from './accounts.ts';
import type { AuthContext } from './context.ts';
import { sendConfirmation } from './confirm-email.ts';
import { refused } from './refusals.ts';
import { ownUser, type OwnUser, type SignedIn, startSession } from './sign-in.ts';

export interface Registration {
  readonly username: string;
  readonly email: string;
  readonly password: string;
  readonly client: Client;
}

/** Whether an account already signs in with one of these names. */
async function isTaken({ database }: AuthContext, username: string, email: string): Promise<boolean> {
  const names = sql`(${email}, ${username}, ${normaliseEmail(username)})`;
  return (await findAccounts(database, sql`email IN ${names} OR username IN ${names}`)).length > 0;
}

function taken(): HttpError {
  return refused('Email or Username are already taken');
}

async function addAccount(
  context: AuthContext,
  { username, email, password }: Omit<Registration, 'client'>,
): Promise<Account> {
  const { database, userType, access, settings } = context;
  const role = access.roleOfType(AUTHENTICATED);
  const account = await database.write(async ({ dialect }) => {
    const confirmed = !settings.emailConfirmation;
    const input = { username, email, password, confirmed, ...(role && { roleId: role.id }) };
    const { about, id, steps } = insertAccount(dialect, userType, input);
    let made: Account | undefined;
    const read: LaterSteps = async (tx) => {
      made = await accountById(tx, id.value);
      return [];
    };
    return { about: [about], steps: [...steps, read], answer: () => made };
  });
  if (!account) throw new Error('a user that was just made is gone');
  return account;
}

/**
 * Creates a user with the role `authenticated`. Returns a session, or only the user if the address must be confirmed
 * first. Throws HttpError 400 if registration is closed, or the name or the address is taken.
 */
export async function register(
  context: AuthContext,
  { username, email: given, password, client }: Registration,
): Promise<SignedIn | { readonly user: OwnUser }> {
  if (!context.settings.registration) throw refused('Register action is currently disabled');
  const email = normaliseEmail(given);
  if (await isTaken(context, username, email)) throw taken();
  const hash = await hashPassword(password, { client });
  try {
    const account = await addAccount(context, { username, email, password: hash });
    if (!context.settings.emailConfirmation) return await startSession(context, account);
    sendConfirmation(context, email);
    return { user: await ownUser(context, account) };
  } catch (error) {
    throw error instanceof UniqueViolation ? taken() : error;
  }
}
