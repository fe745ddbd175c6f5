/** Who may give what: nobody hands on more than they have, or takes over somebody who may do more. */
import { ForbiddenError } from '../errors.ts';
import type { Caller } from '../policy/caller.ts';

/** Throws ForbiddenError unless the caller may do all of this. */
export function requireAuthority(caller: Caller, permissions: Iterable<string> | undefined): void {
  for (const permission of permissions ?? []) {
    if (!caller.permissions.has(permission)) throw new ForbiddenError();
  }
}
