/** Registration. */
import { UniqueViolation } from '../../database/database.ts';
import type { LaterSteps } from '../../database/write-plan.ts';
import { sql } from '../../database/sql.ts';
import type { ContentType } from '../../contract/content-type.ts';
import { type HttpError, ValidationError } from '../../contract/errors.ts';
import type { Client } from '../../base/client.ts';
import { hashPasswords } from '../../content/components/hash-passwords.ts';
import type { Trust } from '../../content/relations/check-targets.ts';
import { type Reached, saveThrough } from '../../entries/door.ts';
import { runWrite } from '../../entries/run-write.ts';
import type { CallContext } from '../../query/entry-request.ts';
import { explainedViolation, takenAttributes } from '../../entries/unique.ts';
import { AUTHENTICATED } from '../../contract/policy/built-in-roles.ts';
import { hashPassword } from '../../base/password.ts';
import {
  type Account,
  accountById,
  type AccountInput,
  findAccounts,
  normalizeEmail,
  planNewAccount,
  storedEmails,
} from './accounts.ts';
import { customUserAttributes } from './bodies.ts';
import type { AuthContext } from './context.ts';
import { sendConfirmation } from './confirm-email.ts';
import { applicationError } from './refusals.ts';
import { maySignIn, ownUser, type OwnUser, type SignedIn, startSession } from './sign-in.ts';
import { maySignInAtOnce, withUserHooks } from './user-hooks.ts';
import { roleOf } from './users-service.ts';

export interface Registration extends CallContext {
  /** The validated body. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly client: Client;
}

/** Whether an account already signs in with one of these names. */
async function isTaken({ database }: AuthContext, username: string, given: string): Promise<boolean> {
  const names = sql`(${normalizeEmail(given)}, ${username}, ${normalizeEmail(username)})`;
  const isSame = sql`email IN ${names} OR email IN ${storedEmails(given)} OR username IN ${names}`;
  return (await findAccounts(database, isSame)).length > 0;
}

/** The type with the schema's attributes only. Whether the name or the address is taken is not revealed. */
function furtherOnly(userType: ContentType): ContentType {
  return { ...userType, attributes: customUserAttributes(userType) };
}

/** The columns that identify an account, about which an answer says no more than that one of them is taken. */
const IDENTIFYING = ['username', 'email'];

function taken(): HttpError {
  return applicationError('Email or Username are already taken');
}

/** The new user, and whether a session starts immediately. */
interface Registered {
  readonly account: Account;
  readonly signsIn: boolean;
}

/** `trusts`: which values were set by hooks, not by the caller. */
interface NewAccount {
  readonly input: AccountInput;
  readonly trusts: Trust | undefined;
}

async function addAccount(context: AuthContext, { input, trusts }: NewAccount, call: CallContext): Promise<Registered> {
  const { types, userType, hooked } = context;
  const registered = await runWrite(hooked, { call }, async (transaction, run) => {
    const write = { tx: transaction, types, type: userType, caller: call.caller, reach: run.reach, trusts };
    const { subject, id, steps } = await planNewAccount(write, input);
    let user: Registered | undefined;
    const read: LaterSteps = async (tx) => {
      const account = await accountById(tx, id.value);
      const may = account && maySignIn(context, account);
      const within = { executor: tx, requestId: call.requestId };
      user = account && { account, signsIn: may === true && (await maySignInAtOnce(context, account, within)) };
      return [];
    };
    const after = run.hooks('afterCreate', { further: ['afterRegister'], action: null }).after(id);
    return { subjects: [subject], steps: [...steps, ...after, read], answer: () => user };
  });
  if (!registered) throw new Error('a user that was just created is gone');
  return registered;
}

/** The account after the before-hooks, with hashed passwords. Throws ValidationError, and HttpError 400 if the name or address is taken. */
async function newAccount(context: AuthContext, { values: sent, client, ...call }: Registration): Promise<NewAccount> {
  const { settings, access, types, userType } = context;
  const hookNames = ['beforeRegister', 'beforeCreate'];
  const { values, trusts } = await withUserHooks(context, hookNames, { ...call, values: sent });
  const { username, email, password, role, provider: _local, ...rest } = values;
  if (await isTaken(context, String(username), String(email))) throw taken();
  const roleId = (roleOf(context, role) ?? access.roleOfType(AUTHENTICATED))?.id;
  const input = {
    confirmed: !settings.emailConfirmation,
    ...(await hashPasswords(types, customUserAttributes(userType), rest, client)),
    username,
    email: normalizeEmail(String(email)),
    password: await hashPassword(String(password), { client }),
    ...(roleId !== undefined && { roleId }),
  };
  return { input, trusts };
}

/** What a violated index says about a registration, without telling which accounts exist. */
async function registrationError({ database, types, userType }: AuthContext, input: AccountInput, error: unknown) {
  if (!(error instanceof UniqueViolation)) return error;
  const further = await takenAttributes(database, furtherOnly(userType), input, {});
  if (further.length > 0) return new ValidationError(further);
  const identifies = IDENTIFYING.some((column) => error.columns.includes(column));
  return identifies ? taken() : explainedViolation(error, { types, type: userType, input });
}

/**
 * Creates a user with the role `authenticated`, unless hooks choose another. Returns a session, or only the user if they may not sign
 * in yet, for example because the address must be confirmed first. Throws HttpError 400 if registration is closed, or the name or
 * address is taken.
 */
export async function register(
  context: AuthContext,
  registration: Registration,
): Promise<SignedIn | { readonly user: OwnUser }> {
  const { settings, hooked } = context;
  const { values: _, client: _client, ...call } = registration;
  const { entry } = await saveThrough<undefined, Reached, NewAccount, Registered>(hooked, call, {
    async read() {
      if (!settings.registration) throw applicationError('Register action is currently disabled');
      return undefined;
    },
    resolve: () => Promise.resolve({ row: undefined }),
    prepare: () => newAccount(context, registration),
    write: (_target, account) =>
      addAccount(context, account, call).catch(async (error: unknown) => {
        throw await registrationError(context, account.input, error);
      }),
  });
  const { account, signsIn } = entry;
  if (signsIn) return startSession(context, account);
  if (settings.emailConfirmation && account.confirmed !== true) sendConfirmation(context, account.email);
  return { user: await ownUser(context, account) };
}
