/** Adds users outside of requests, for operators of the server. No hooks run. */
import { NO_REACH } from '../../content/relations/reach.ts';
import { hashPassword } from '../../base/password.ts';
import { hashPasswords } from '../../content/components/hash-passwords.ts';
import type { ContentTypes } from '../../contract/content-type.ts';
import { serverCaller } from '../../contract/policy/server-caller.ts';
import type { Database } from '../../database/database.ts';
import { explainUniqueViolation } from '../../entries/unique.ts';
import { normalizeEmail, planNewAccount } from './accounts.ts';
import { checkBody, customUserAttributes, userFields } from './bodies.ts';
import { normalizeUsername, usernameProblem } from './username.ts';

const SHORTEST_NAME = 3;

/** The default user name: the local part of the address if that is a valid name, else the whole address. */
export function usernameFor(email: string): string {
  const name = normalizeUsername(email.slice(0, Math.max(0, email.lastIndexOf('@'))));
  return name.length < SHORTEST_NAME || usernameProblem(name) !== undefined ? email : name;
}

/** Same shape as a request body: `email`, `username`, `password`, and the attributes that the schema adds. */
export type NewUser = Readonly<Record<string, unknown>>;

/** Adds a user, whose address counts as confirmed. Throws ValidationError; `roleId` must exist. */
export async function addUser(
  { database, types }: { readonly database: Database; readonly types: ContentTypes },
  user: NewUser,
  roleId: number,
): Promise<void> {
  const type = types.types['user'];
  if (!type) throw new Error('this server has no type "user": generate it again');
  const { managed } = userFields({ types, userType: type });
  const checked = checkBody(managed, user, { unknownKeys: 'reject', notWritable: 'taken', types });
  const { email, password, role: _, provider: __, ...values } = checked;
  const input = {
    confirmed: true,
    ...(await hashPasswords(types, customUserAttributes(type), values, undefined)),
    email: normalizeEmail(String(email)),
    password: await hashPassword(String(password)),
    roleId,
  };
  await explainUniqueViolation({ database, types, type }, { input, self: {} }, () =>
    database.write(async (tx) => {
      const write = { tx, types, type, caller: serverCaller(types), reach: NO_REACH };
      const { subject, steps } = await planNewAccount(write, input);
      return { subjects: [subject], steps, answer: () => undefined };
    }),
  );
}
