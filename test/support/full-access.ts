/** Requests to a served project with full access. */
import { openSqlite } from '../../templates/runtime/src/database/sqlite.ts';
import { createToken } from '../../templates/runtime/test-support/test-project.ts';
import type { ServedProject } from './served-project.ts';

/** Returns the parsed body of the response; throws if the request fails. */
export type Send = (method: string, path: string, body?: unknown) => Promise<any>;

export async function fullAccess({ origin, databaseUrl }: ServedProject): Promise<Send> {
  const database = await openSqlite({ path: databaseUrl.replace('sqlite:', '') });
  const token = await createToken(database, { kind: 'full-access' });
  await database.close();
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
