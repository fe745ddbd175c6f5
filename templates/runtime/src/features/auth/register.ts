/** Registration. */
import { UniqueViolation } from '../../database/database.ts';
import { sql } from '../../database/sql.ts';
import type { LaterSteps } from '../../database/write-plan.ts';
import type { HttpError } from '../../contract/errors.ts';
import type { Client } from '../../base/client.ts';
import { entryHooks } from '../../entries/after-hook.ts';
import type { Asker } from '../../query/entry-request.ts';
import { AUTHENTICATED } from '../../access/role-rows.ts';
import { hashPassword } from '../../base/password.ts';
import {
  type Account,
  accountById,
  type AccountInput,
  findAccounts,
  insertAccount,
  normaliseEmail,
} from './accounts.ts';
import type { AuthContext } from './context.ts';
import { sendConfirmation } from './confirm-email.ts';
import { refused } from './refusals.ts';
import { maySignIn, ownUser, type OwnUser, type SignedIn, startSession } from './sign-in.ts';
import { maySignInAtOnce, withUserHooks } from './user-hooks.ts';
import { roleOf } from './users-service.ts';

export interface Registration extends Asker {
  /** As it was checked. */
  readonly values: Readonly<Record<string, unknown>>;
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

/** A user who was made, and whether a session begins at once. */
interface Registered {
  readonly account: Account;
  readonly signsIn: boolean;
}

async function addAccount(context: AuthContext, input: AccountInput, asker: Asker): Promise<Registered> {
  const { database, userType, hooked } = context;
  const hooks = entryHooks(hooked, 'afterCreate', asker, ['afterRegister']);
  const registered = await database.write(async ({ dialect }) => {
    const { about, id, steps } = insertAccount(dialect, userType, input);
    let made: Registered | undefined;
    const read: LaterSteps = async (tx) => {
      const account = await accountById(tx, id.value);
      const may = account && maySignIn(context, account);
      const within = { executor: tx, requestId: asker.requestId };
      made = account && { account, signsIn: may === true && (await maySignInAtOnce(context, account, within)) };
      return [];
    };
    return { about: [about], steps: [...steps, ...hooks.steps(id), read], answer: () => made };
  });
  if (!registered) throw new Error('a user that was just made is gone');
  await hooks.committed();
  return registered;
}

/**
 * Creates a user with the role `authenticated`, or what the hooks make of it. Returns a session, or only the user where that may
 * not sign in yet, as the address must be confirmed first. Throws HttpError 400 if registration is closed, or the name or the
 * address is taken.
 */
export async function register(
  context: AuthContext,
  { values: sent, client, ...asker }: Registration,
): Promise<SignedIn | { readonly user: OwnUser }> {
  const { settings, access } = context;
  if (!settings.registration) throw refused('Register action is currently disabled');
  const hookNames = ['beforeRegister', 'beforeCreate'];
  const { values } = await withUserHooks(context, hookNames, { ...asker, body: sent, values: sent });
  const { username, email: given, password, role, provider: _local, ...rest } = values;
  const email = normaliseEmail(String(given));
  if (await isTaken(context, String(username), email)) throw taken();
  const roleId = (roleOf(context, role) ?? access.roleOfType(AUTHENTICATED))?.id;
  const input = {
    confirmed: !settings.emailConfirmation,
    ...rest,
    username,
    email,
    password: await hashPassword(String(password), { client }),
    ...(roleId !== undefined && { roleId }),
  };
  try {
    const { account, signsIn } = await addAccount(context, input, asker);
    if (signsIn) return await startSession(context, account);
    if (settings.emailConfirmation && account.confirmed !== true) sendConfirmation(context, email);
    return { user: await ownUser(context, account) };
  } catch (error) {
    throw error instanceof UniqueViolation ? taken() : error;
  }
}
