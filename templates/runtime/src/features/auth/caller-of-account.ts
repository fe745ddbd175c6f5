/** Converts an account to the caller that permissions are checked for. */
import type { Access } from '../../access/access.ts';
import { AUTHENTICATED } from '../../contract/policy/built-in-roles.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import type { Account } from './accounts.ts';

/** The caller for a signed-in user. */
export function callerOfAccount(
  { access }: { readonly access: Access },
  { id, roleId }: Pick<Account, 'id' | 'roleId'>,
): Caller {
  const role = roleId === null ? undefined : access.role(roleId);
  // A user without a role is authenticated, but has no permissions.
  return {
    kind: 'user',
    role: role?.type ?? AUTHENTICATED,
    userId: id,
    permissions: role?.permissions ?? access.internPermissions([]),
  };
}
