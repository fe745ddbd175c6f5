/** Creates users for tests. */
import { NO_REACH } from '../content/relations/reach.ts';
import { randomBytes } from 'node:crypto';
import { hashPassword } from '../base/password.ts';
import type { ContentTypes } from '../contract/content-type.ts';
import type { Database } from '../database/database.ts';
import { openDatabase } from '../database/open-database.ts';
import { sql } from '../database/sql.ts';
import { serverCaller } from '../contract/policy/server-caller.ts';
import { planNewAccount } from '../features/auth/accounts.ts';
import { checkedJson } from './checked-json.ts';

/** A signed-in user. */
export interface TestSession {
  readonly userId: number;
  readonly token: string;
}

async function addUser(database: Database, types: ContentTypes, name: string, role: string, password: string) {
  const userType = types.types['user'];
  const found = await database.get(sql`SELECT id FROM user_roles WHERE ${database.dialect.id('type')} = ${role}`);
  if (!userType || !found) throw new Error(`there is no role "${role}" in the schema`);
  const input = {
    username: name,
    email: `${name}@example.org`,
    password: await hashPassword(password),
    confirmed: true,
    roleId: Number(found['id']),
  };
  await database.write(async (tx) => {
    const write = { tx, types, type: userType, caller: serverCaller(types), reach: NO_REACH };
    const { subject, steps } = await planNewAccount(write, input);
    return { subjects: [subject], steps, answer: () => undefined };
  });
}

/** Adds a user with a role, without running the project's hooks, and signs in. Throws if there is no such role. */
export async function createUser(
  origin: string,
  { databaseUrl }: { readonly databaseUrl: string },
  types: ContentTypes,
  role: string,
  { name, password } = {
    name: `${role}-${randomBytes(4).toString('hex')}`,
    password: randomBytes(12).toString('hex'),
  },
): Promise<TestSession> {
  const database = await openDatabase(databaseUrl);
  try {
    await addUser(database, types, name, role, password);
  } finally {
    await database.close();
  }
  const response = await fetch(`${origin}/api/auth/local`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ identifier: name, password }),
  });
  const { jwt, user } = (await checkedJson(response)) as {
    readonly jwt: string;
    readonly user: { readonly id: number };
  };
  return { userId: user.id, token: jwt };
}
