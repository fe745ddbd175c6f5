/** Resolves API tokens to callers; cached for a second. */
import { LRUCache } from 'lru-cache';
import type { Database } from '../../database/database.ts';
import { UnauthorizedError } from '../../contract/errors.ts';
import { AUTHENTICATED } from '../../contract/policy/built-in-roles.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import type { Access } from '../../access/access.ts';
import type { Permissions } from '../../contract/policy/rule.ts';
import { isReading } from '../../contract/policy/permissions.ts';
import { stillHeld } from '../../contract/policy/rights.ts';
import { API_TOKEN } from '../../access/role-rows.ts';
import { type ApiToken, findApiToken, touchApiToken } from './api-tokens.ts';
import { hashSecret } from './secrets.ts';
import type { UserStates } from './user-states.ts';

/** How long a result is cached, in milliseconds. */
const FRESH = 1000;
const MAX_TOKENS = 5000;
/** In characters. Longer texts are not looked up. */
const MAX_LENGTH = 128;
/** Resolution of `lastUsedAt`, in milliseconds: not every request writes it. */
const LAST_USE_ACCURACY = 60_000;

export interface TokenCallers {
  /** Throws UnauthorizedError if the token is unknown or expired. */
  get(token: string): Promise<Caller>;
  /** Call after a successful request: records the last use, in the background. */
  used(token: string): void;
  /** Call after this instance revoked a token. */
  forget(): void;
}

interface Known {
  readonly token: ApiToken | undefined;
  readonly caller: Caller | undefined;
}

/** `everything`: all permissions of the server. */
export function createTokenCallers(options: {
  readonly database: Database;
  readonly users: UserStates;
  readonly access: Pick<Access, 'internPermissions' | 'role'>;
  readonly everything: readonly string[];
  /** Whether users must have confirmed their address. */
  readonly needsConfirmation: boolean;
  /** Runs background work. */
  readonly background: (work: () => Promise<void>) => void;
}): TokenCallers {
  const { database, users, access, everything, needsConfirmation, background } = options;
  const reading = everything.filter(isReading);
  const known = new LRUCache<string, Known>({ max: MAX_TOKENS, ttl: FRESH });
  const bounded = new WeakMap<Caller, { readonly role: Permissions; readonly caller: Caller }>();
  const lastWritten = new LRUCache<number, true>({ max: MAX_TOKENS, ttl: LAST_USE_ACCURACY });

  function callerOf({ id, name, kind, permissions, userId }: ApiToken): Caller {
    const allowed = kind === 'full-access' ? everything : kind === 'read-only' ? reading : permissions;
    return Object.freeze({
      kind: 'token',
      role: API_TOKEN,
      tokenId: id,
      tokenName: name,
      ...(userId !== null && { tokenOf: userId }),
      permissions: access.internPermissions(allowed),
    });
  }

  async function look(text: string): Promise<Known> {
    const key = hashSecret(text);
    const cached = known.get(key);
    if (cached) return cached;
    const readAt = performance.now();
    const token = await findApiToken(database, { text });
    const found = { token, caller: token && callerOf(token) };
    known.set(key, found, { start: readAt });
    return found;
  }

  /** The caller with those of its permissions that the role has, too, and with the rules of the role. */
  function within(caller: Caller, role: Permissions, tokenRole: string): Caller {
    const kept = bounded.get(caller);
    if (kept?.role === role && kept.caller.tokenRole === tokenRole) return kept.caller;
    const permissions = access.internPermissions(stillHeld(caller.permissions, role), role.rules);
    const made = Object.freeze({ ...caller, permissions, tokenRole });
    bounded.set(caller, { role, caller: made });
    return made;
  }

  /** The caller of a user's token, limited to what the user may do now. Throws UnauthorizedError if the user may not sign in, or is gone. */
  async function ofOwner(caller: Caller, userId: number): Promise<Caller> {
    const owner = await users.get(userId);
    if (owner === undefined || owner.blocked === true || (needsConfirmation && owner.confirmed !== true)) {
      throw new UnauthorizedError('Invalid credentials');
    }
    const role = owner.roleId === null ? undefined : access.role(owner.roleId);
    return within(caller, role?.permissions ?? access.internPermissions([]), role?.type ?? AUTHENTICATED);
  }

  async function write({ id, lastUsedAt }: ApiToken): Promise<void> {
    const isRecent = lastUsedAt !== null && Date.now() - Date.parse(lastUsedAt) < LAST_USE_ACCURACY;
    if (!isRecent) await touchApiToken(database, id);
  }

  return {
    async get(text) {
      if (text.length > MAX_LENGTH) throw new UnauthorizedError();
      const { token, caller } = await look(text);
      if (!token || !caller) throw new UnauthorizedError();
      if (token.expiresAt !== null && Date.parse(token.expiresAt) <= Date.now()) {
        throw new UnauthorizedError('Token expired');
      }
      if (token.userId === null) return caller;
      const owned = await ofOwner(caller, token.userId);
      // What rules need to know of the user is read once for each caller, and so for each request.
      return owned.permissions.rules ? { ...owned } : owned;
    },
    used(text) {
      const token = known.get(hashSecret(text))?.token;
      if (!token || lastWritten.has(token.id)) return;
      lastWritten.set(token.id, true);
      background(() => write(token));
    },
    forget: () => known.clear(),
  };
}
