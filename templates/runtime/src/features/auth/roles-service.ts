/** Roles and their permissions, in Strapi's format. */
import { COLUMN_NAMES } from '../../contract/column-names.ts';
import { AUTHENTICATED, PUBLIC } from '../../contract/policy/built-in-roles.ts';
import { UniqueViolation } from '../../database/database.ts';
import type { Executor } from '../../database/executor.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { Step, Transaction } from '../../database/write-plan.ts';
import { sql } from '../../database/sql.ts';
import { NotFoundError, ValidationError } from '../../contract/errors.ts';
import { type Caller, SERVER } from '../../contract/policy/caller.ts';
import { isSameRule, permissionSet } from '../../contract/policy/permission-set.ts';
import type { Permissions } from '../../contract/policy/rule.ts';
import { knownPermissions } from '../../contract/policy/permissions.ts';
import { requireAuthority } from '../../contract/policy/rights.ts';
import {
  addPermissions,
  API_TOKEN,
  changeRules,
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
import { parsePermissions, permissionTree, type PermissionTree, type ReadRule } from './permission-tree.ts';
import { ruleReader } from './rule-reader.ts';
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
  createdAt: ['datetime', COLUMN_NAMES.createdAt],
  updatedAt: ['datetime', COLUMN_NAMES.updatedAt],
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
  readonly permissions: Permissions | undefined;
}

/** The permissions that a server knows, and how their rules are read; undefined if its schema has none. */
interface Known {
  readonly all: readonly string[];
  readonly readRule: ReadRule | undefined;
}

function parseBody(body: unknown, { all, readRule }: Known, operation: 'create' | 'update'): RoleBody {
  const text = checkBody(FIELDS, body, { operation });
  const name: unknown = 'name' in text ? text['name'] : undefined;
  if (typeof name === 'string' && (RESERVED.has(name) || RESERVED.has(slugify(name)))) {
    throw new ValidationError([{ path: ['name'], message: `name must not be ${name}, which is reserved` }]);
  }
  const { permissions } = body as { readonly permissions?: unknown };
  return { text, permissions: permissions === undefined ? undefined : parsePermissions(permissions, all, readRule) };
}

function typeOf(name: string): string {
  const type = slugify(name);
  if (ROLE_TYPE.test(type)) return type;
  throw new ValidationError([{ path: ['name'], message: 'name must begin with a letter' }]);
}

/** The steps that give a role other permissions than the `given` ones. */
function setPermissions(
  dialect: Dialect,
  id: number,
  { given, wanted }: { readonly given: Permissions; readonly wanted: Permissions },
): readonly Step[] {
  const { rules = {} } = wanted;
  const isChanged = (action: string): boolean => !isSameRule(given.rules?.[action], rules[action]);
  return [
    ...removePermissions(
      id,
      [...given].filter((action) => !wanted.has(action)),
    ),
    ...addPermissions(
      dialect,
      id,
      [...wanted].filter((action) => !given.has(action)),
      rules,
    ),
    ...changeRules(
      dialect,
      id,
      [...wanted].filter((action) => given.has(action) && isChanged(action)),
      rules,
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
  const { database, types, access, users, hasRules } = context;
  const known: Known = { all: knownPermissions(types), readRule: hasRules ? ruleReader(types) : undefined };

  /** Runs a change of roles, and invalidates the cached permissions of all instances. */
  async function change(plan: (tx: Transaction) => Promise<RoleWrite>): Promise<{ readonly ok: true }> {
    await database.write(async (tx) => planRoles([await plan(tx)], undefined));
    await access.reload();
    return { ok: true };
  }

  return {
    ...readers(context),
    async create(caller, body) {
      const { text, permissions = permissionSet([]) } = parseBody(body, known, 'create');
      const type = typeOf(text.name ?? '');
      requireAuthority(caller, 'givenPermissions', permissions);
      try {
        return await change(({ dialect }) =>
          Promise.resolve(insertRole(dialect, type, { text, actions: [...permissions], rules: permissions.rules })),
        );
      } catch (error) {
        if (!(error instanceof UniqueViolation)) throw error;
        throw new ValidationError([{ path: ['name'], message: 'This attribute must be unique' }]);
      }
    },
    async update(caller, id, body) {
      const { text, permissions } = parseBody(body, known, 'update');
      requireAuthority(caller, 'givenPermissions', permissions);
      return change(async (tx) => {
        const held = await permissionsOfRole(tx, id, hasRules);
        requireAuthority(caller, 'roles', held);
        const row = updateRole(tx.dialect, id, text, () => new NotFoundError());
        const given = permissions ? setPermissions(tx.dialect, id, { given: held, wanted: permissions }) : [];
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
        requireAuthority(caller, 'roles', await permissionsOfRole(tx, id, hasRules));
        // Users of the deleted role get the role `authenticated`.
        const hasUsers = (await tx.get(sql`SELECT id FROM users WHERE role_id = ${id} LIMIT 1`)) !== undefined;
        if (hasUsers) requireAuthority(caller, 'givenRoles', await permissionsOfRole(tx, heir.id, hasRules));
        return { subject: { action: 'delete', type: 'role', id }, steps: deleteRole(tx.dialect, id, heir.id) };
      });
      users.forgetAll();
      return done;
    },
  };
}
