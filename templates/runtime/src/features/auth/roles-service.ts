/** Roles and their permissions, in Strapi's format. */
import { AUTHENTICATED, PUBLIC } from '../../contract/policy/built-in-roles.ts';
import { UniqueViolation } from '../../database/database.ts';
import type { Executor } from '../../database/executor.ts';
import type { Step, Transaction } from '../../database/write-plan.ts';
import { sql } from '../../database/sql.ts';
import { NotFoundError, ValidationError } from '../../contract/errors.ts';
import { type Caller, SERVER } from '../../contract/policy/caller.ts';
import { knownPermissions } from '../../contract/policy/permissions.ts';
import { requireAuthority } from '../../contract/policy/rights.ts';
import {
  addPermissions,
  API_TOKEN,
  deleteRole,
  insertRole,
  permissionsOfRole,
  planRoles,
  removePermissions,
  type RoleWrite,
  updateRole,
} from '../../access/role-rows.ts';
import type { Fields } from '../../content/validators/field.ts';
import { scalarField } from '../../content/validators/scalar-field.ts';
import { slugify } from '../../contract/values/slugify.ts';
import { checkBody } from './bodies.ts';
import type { AuthContext } from './context.ts';
import { type JsonColumns, readJsonRows } from './json-rows.ts';
import { parsePermissions, permissionTree, type PermissionTree } from './permission-tree.ts';
import { applicationError } from './refusals.ts';

interface RoleText {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly type: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface RolesService {
  find(): Promise<{ readonly roles: readonly (RoleText & { readonly nb_users: number })[] }>;
  findOne(id: number): Promise<{ readonly role: RoleText & { readonly permissions: PermissionTree } }>;
  /** All permissions of the server, none of them enabled. */
  permissions(): { readonly permissions: PermissionTree };
  create(caller: Caller, body: unknown): Promise<{ readonly ok: true }>;
  update(caller: Caller, id: number, body: unknown): Promise<{ readonly ok: true }>;
  remove(caller: Caller, id: number): Promise<{ readonly ok: true }>;
}

const COLUMNS: JsonColumns = {
  id: ['integer', 'id'],
  name: ['string', 'name'],
  description: ['string', 'description'],
  type: ['string', 'type'],
  createdAt: ['datetime', 'created_at'],
  updatedAt: ['datetime', 'updated_at'],
};

const ROLE_TYPE = /^[a-z][a-z0-9_-]{0,62}$/;

/** Reserved names: roles of callers that are not users, and names that are special in JavaScript. */
const RESERVED: ReadonlySet<string> = new Set([
  ...[SERVER, API_TOKEN].map(slugify),
  ...Object.getOwnPropertyNames(Object.prototype),
  'prototype',
]);

/** `permissions` is validated separately. */
const FIELDS: Fields = {
  name: scalarField('string', { required: true, minLength: 1, maxLength: 255 }),
  description: scalarField('string', { maxLength: 255 }),
};

/** A validated body; `permissions` is undefined if absent. */
interface RoleBody {
  readonly text: { readonly name?: string; readonly description?: string | null };
  readonly permissions: readonly string[] | undefined;
}

function parseBody(body: unknown, all: readonly string[], operation: 'create' | 'update'): RoleBody {
  const text = checkBody(FIELDS, body, { operation });
  const name: unknown = 'name' in text ? text['name'] : undefined;
  if (typeof name === 'string' && (RESERVED.has(name) || RESERVED.has(slugify(name)))) {
    throw new ValidationError([{ path: ['name'], message: `name must not be ${name}, which is reserved` }]);
  }
  const { permissions } = body as { readonly permissions?: unknown };
  return { text, permissions: permissions === undefined ? undefined : parsePermissions(permissions, all) };
}

function typeOf(name: string): string {
  const type = slugify(name);
  if (ROLE_TYPE.test(type)) return type;
  throw new ValidationError([{ path: ['name'], message: 'name must begin with a letter' }]);
}

async function setPermissions(tx: Executor, id: number, wanted: readonly string[]): Promise<readonly Step[]> {
  const given = new Set(await permissionsOfRole(tx, id));
  const kept = new Set(wanted);
  return [
    ...removePermissions(
      id,
      [...given].filter((action) => !kept.has(action)),
    ),
    ...addPermissions(
      id,
      wanted.filter((action) => !given.has(action)),
    ),
  ];
}

async function countUsers(executor: Executor): Promise<ReadonlyMap<number, number>> {
  const rows = await executor.all(sql`SELECT role_id, COUNT(*) AS total FROM users GROUP BY role_id`);
  return new Map(rows.map((row) => [Number(row['role_id']), Number(row['total'])]));
}

function readers({ database, types, access }: AuthContext): Pick<RolesService, 'find' | 'findOne' | 'permissions'> {
  const all = knownPermissions(types);
  return {
    async find() {
      const roles = await readJsonRows<RoleText>(database, COLUMNS, sql`FROM user_roles ORDER BY id`);
      const users = await countUsers(database);
      return { roles: roles.map((role) => ({ ...role, nb_users: users.get(role.id) ?? 0 })) };
    },
    async findOne(id) {
      const [role] = await readJsonRows<RoleText>(database, COLUMNS, sql`FROM user_roles WHERE id = ${id}`);
      const given = access.role(id)?.permissions;
      if (!role || !given) throw new NotFoundError();
      return { role: { ...role, permissions: permissionTree(all, given) } };
    },
    permissions: () => ({ permissions: permissionTree(all, new Set()) }),
  };
}

export function rolesService(context: AuthContext): RolesService {
  const { database, types, access, users } = context;
  const all = knownPermissions(types);

  /** Runs a change of roles, and invalidates the cached permissions of all instances. */
  async function change(plan: (tx: Transaction) => Promise<RoleWrite>): Promise<{ readonly ok: true }> {
    await database.write(async (tx) => planRoles([await plan(tx)], undefined));
    await access.reload();
    return { ok: true };
  }

  return {
    ...readers(context),
    async create(caller, body) {
      const { text, permissions = [] } = parseBody(body, all, 'create');
      const type = typeOf(text.name ?? '');
      requireAuthority(caller, 'givenPermissions', permissions);
      try {
        return await change(({ dialect }) =>
          Promise.resolve(insertRole(dialect, type, { text, actions: permissions })),
        );
      } catch (error) {
        if (!(error instanceof UniqueViolation)) throw error;
        throw new ValidationError([{ path: ['name'], message: 'This attribute must be unique' }]);
      }
    },
    async update(caller, id, body) {
      const { text, permissions } = parseBody(body, all, 'update');
      requireAuthority(caller, 'givenPermissions', permissions);
      return change(async (tx) => {
        requireAuthority(caller, 'roles', await permissionsOfRole(tx, id));
        const row = updateRole(tx.dialect, id, text, () => new NotFoundError());
        const given = permissions ? await setPermissions(tx, id, permissions) : [];
        return { subject: { action: 'update', type: 'role', id }, steps: [row, ...given] };
      });
    },
    async remove(caller, id) {
      const role = access.role(id);
      const heir = access.roleOfType(AUTHENTICATED);
      if (!role || !heir) throw new NotFoundError();
      if (role.type === PUBLIC || role.type === AUTHENTICATED) {
        throw applicationError(`Cannot delete the role ${role.type}`);
      }
      const done = await change(async (tx) => {
        requireAuthority(caller, 'roles', await permissionsOfRole(tx, id));
        // Users of the deleted role get the role `authenticated`.
        const hasUsers = (await tx.get(sql`SELECT id FROM users WHERE role_id = ${id} LIMIT 1`)) !== undefined;
        if (hasUsers) requireAuthority(caller, 'givenRoles', await permissionsOfRole(tx, heir.id));
        return { subject: { action: 'delete', type: 'role', id }, steps: deleteRole(tx.dialect, id, heir.id) };
      });
      users.forgetAll();
      return done;
    },
  };
}
