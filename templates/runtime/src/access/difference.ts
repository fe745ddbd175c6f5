/** Compares the permissions in the schema with those in the database. */
import type { Database } from '../database/database.ts';
import type { Dialect } from '../database/dialect.ts';
import { isSameRule } from '../contract/policy/permission-set.ts';
import type { Rules } from '../contract/policy/rule.ts';
import {
  addPermissions,
  changeRules,
  insertRole,
  planRoles,
  readRoles,
  removePermissions,
  type RoleWrite,
  type SchemaRoles,
  type StoredRole,
} from './role-rows.ts';

export interface RoleDifference {
  readonly role: string;
  /** Id of the stored role; undefined if only the schema has it. */
  readonly id: number | undefined;
  /** In the schema, not in the database. */
  readonly missing: readonly string[];
  /** In the database, not in the schema. */
  readonly further: readonly string[];
  /** In both, with different rules. */
  readonly changed: readonly string[];
}

/** The roles of the schema that differ from the stored ones. Roles that only the database has are ignored. */
export function differences(
  { roles, rules = {} }: SchemaRoles,
  stored: readonly StoredRole[],
): readonly RoleDifference[] {
  const byType = new Map(stored.map((role) => [role.type, role]));
  return Object.entries(roles).flatMap(([role, wanted]) => {
    const found = byType.get(role);
    const given = new Set(found?.permissions);
    const named = new Set(wanted);
    const missing = wanted.filter((permission) => !given.has(permission));
    const further = [...given].filter((permission) => !named.has(permission)).sort();
    const changed = wanted.filter(
      (permission) => given.has(permission) && !isSameRule(found?.rules[permission], rules[role]?.[permission]),
    );
    const isSame = found && missing.length + further.length + changed.length === 0;
    return isSame ? [] : [{ role, id: found?.id, missing, further, changed }];
  });
}

function writeOf(dialect: Dialect, { role, id, missing, further, changed }: RoleDifference, rules: Rules): RoleWrite {
  if (id === undefined) return insertRole(dialect, role, { actions: missing, rules });
  const steps = [
    ...removePermissions(id, further),
    ...addPermissions(dialect, id, missing, rules),
    ...changeRules(dialect, id, changed, rules),
  ];
  return { subject: { action: 'update', type: 'role', id }, steps };
}

/** Updates the permissions in the database, and their rules, to those in the schema. Returns what was changed. */
export function applyPermissions(database: Database, schema: SchemaRoles): Promise<readonly RoleDifference[]> {
  return database.write(async (tx) => {
    const found = differences(schema, await readRoles(tx, schema.rules !== undefined));
    const writes = found.map((difference) => writeOf(tx.dialect, difference, schema.rules?.[difference.role] ?? {}));
    return planRoles(writes, found);
  });
}
