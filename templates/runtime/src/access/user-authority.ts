/** Whoever changes a user needs all permissions that the user has. */
import { sql } from '../database/sql.ts';
import type { Executor } from '../database/executor.ts';
import type { Caller } from '../contract/policy/caller.ts';
import { requireAuthority } from '../contract/policy/rights.ts';
import { permissionsOfRole } from './role-rows.ts';

/** Throws ForbiddenError if one of the users has permissions that the caller lacks. Reads the database, since a cache may be stale. */
export async function requireAuthorityOver(
  executor: Executor,
  caller: Caller,
  users: readonly number[],
): Promise<void> {
  if (caller.kind === 'server' || users.length === 0) return;
  const isOneOf = executor.dialect.isOneOf(sql`id`, [...users]);
  const rows = await executor.all(sql`SELECT DISTINCT role_id FROM users WHERE ${isOneOf} AND role_id IS NOT NULL`);
  // Rules matter only to a caller who has some.
  const hasRules = caller.permissions.rules !== undefined;
  for (const row of rows) {
    requireAuthority(caller, 'users', await permissionsOfRole(executor, Number(row['role_id']), hasRules));
  }
}
