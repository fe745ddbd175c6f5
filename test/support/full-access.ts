/** Requests to a served project with full access. */
import { openSqlite } from '../../templates/runtime/src/database/sqlite.ts';
import { createToken, PASSWORD } from '../../templates/runtime/test-support/test-project.ts';
import type { ServedProject } from './served-project.ts';

/** Returns the parsed body of the response; throws if the request fails. */
export type Send = (method: string, path: string, body?: unknown) => Promise<any>;

/** Adds an API token, as the command line does, and returns it. */
export async function addToken(
  { databaseUrl }: Pick<ServedProject, 'databaseUrl'>,
  token: Parameters<typeof createToken>[1],
): Promise<string> {
  const database = await openSqlite({ path: databaseUrl.replace('sqlite:', '') });
  try {
    return await createToken(database, token);
  } finally {
    await database.close();
  }
}

export async function fullAccess(server: Pick<ServedProject, 'databaseUrl' | 'origin'>): Promise<Send> {
  const { origin } = server;
  const token = await addToken(server, { kind: 'full-access' });
  return async (method, path, body) => {
    const response = await fetch(origin + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
}

/** Adds a confirmed account with a role, by the name of the role in the schema, and the password of all tests. Returns its id. */
export async function addAccount(send: Send, username: string, role = username): Promise<number> {
  const { roles } = await send('GET', '/api/users-permissions/roles');
  const { id } = roles.find(({ type }: { readonly type: string }) => type === role);
  const email = `${username}@example.org`;
  return (await send('POST', '/api/users', { username, email, password: PASSWORD, confirmed: true, role: id })).id;
}
