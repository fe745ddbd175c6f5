/** Creates, lists and revokes API tokens. */
import { type Database, UniqueViolation } from '../../database/database.ts';
import { ForbiddenError, NotFoundError, ValidationError } from '../../contract/errors.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import { isReading, knownPermissions } from '../../contract/policy/permissions.ts';
import { permissionSet } from '../../contract/policy/permission-set.ts';
import type { Permissions } from '../../contract/policy/rule.ts';
import { requireAuthority, stillHeld } from '../../contract/policy/rights.ts';
import type { Fields } from '../../content/validators/field.ts';
import { scalarField } from '../../content/validators/scalar-field.ts';
import {
  type ApiToken,
  createApiToken,
  findApiToken,
  listApiTokens,
  type NewToken,
  revokeApiToken,
  TOKEN_KINDS,
} from './api-tokens.ts';
import { checkBody } from './bodies.ts';
import type { AuthContext } from './context.ts';
import { parsePermissions } from './permission-tree.ts';

/** The body of a new token; `permissions` is validated separately. */
const tokenFields: Fields = {
  name: scalarField('string', { required: true, minLength: 1, maxLength: 255 }),
  kind: scalarField('enumeration', { required: true, enum: TOKEN_KINDS }),
  expiresAt: scalarField('datetime'),
};

/** Creates a token. Throws ValidationError if the name is taken. */
export async function addToken(database: Database, token: NewToken): Promise<{ id: number; token: string }> {
  try {
    return await createApiToken(database, token);
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
    throw new ValidationError([{ path: ['name'], message: 'This attribute must be unique' }]);
  }
}

export interface TokensService {
  find(): Promise<readonly ApiToken[]>;
  /** The result contains the token itself, which is not shown again. */
  create(caller: Caller, body: unknown): Promise<object>;
  /** Throws ForbiddenError if the token may do something that the caller may not, and the caller has not created it. */
  remove(caller: Caller, id: number): Promise<{ readonly ok: true }>;
}

/**
 * Throws ForbiddenError if the caller is a token. Otherwise, whoever holds a leaked token could create others, which stay valid when
 * it is revoked.
 */
function refuseTokens(caller: Caller): void {
  if (caller.kind !== 'token') return;
  const message = 'An API token must not create others: sign in as a user, or use npm run server -- token';
  throw new ForbiddenError({ message, reason: message });
}

export function tokensService({ database, types, tokens, users, access }: AuthContext): TokensService {
  const all = knownPermissions(types);
  const given = ({ kind, permissions }: Pick<NewToken, 'kind' | 'permissions'>): readonly string[] => {
    if (kind === 'custom') return permissions;
    return kind === 'full-access' ? all : all.filter(isReading);
  };
  /** The permissions that a token currently has. */
  const heldBy = async (token: ApiToken): Promise<Permissions> => {
    if (token.userId === null) return permissionSet(given(token));
    const owner = await users.get(token.userId);
    const role = owner?.roleId == null ? undefined : access.role(owner.roleId);
    return permissionSet(stillHeld(given(token), role?.permissions ?? new Set()), role?.permissions.rules);
  };
  return {
    find: () => listApiTokens(database),
    async create(caller, body) {
      const values = checkBody(tokenFields, body) as Pick<NewToken, 'name' | 'kind'> & { expiresAt?: string | null };
      const { permissions = [] } = body as { readonly permissions?: unknown };
      const token = {
        name: values.name,
        kind: values.kind,
        expiresAt: values.expiresAt ?? null,
        permissions: values.kind === 'custom' ? [...parsePermissions(permissions, all)] : [],
      };
      refuseTokens(caller);
      const { userId } = caller;
      // The rules of a user are also those of the user's tokens.
      const rules = userId === undefined ? undefined : caller.permissions.rules;
      requireAuthority(caller, 'givenPermissions', permissionSet(given(token), rules));
      return { ...(await addToken(database, { ...token, userId })), ...token, userId: userId ?? null };
    },
    async remove(caller, id) {
      const token = await findApiToken(database, { id });
      if (!token) throw new NotFoundError();
      const isMaker = caller.userId !== undefined && caller.userId === token.userId;
      if (!isMaker) requireAuthority(caller, 'tokens', await heldBy(token));
      if (!(await revokeApiToken(database, { id }))) throw new NotFoundError();
      tokens.forget();
      return { ok: true };
    },
  };
}
