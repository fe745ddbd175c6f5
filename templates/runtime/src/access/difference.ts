/** Compares the permissions in the schema with those in the database. */
import type { Database } from '../database/database.ts';
import type { Dialect } from '../database/dialect.ts';
import {
  addPermissions,
  insertRole,
  planRoles,
  readRoles,
  removePermissions,
  type RolePermissions,
  type RoleWrite,
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
}

/** The roles of the schema that differ from the stored ones. Roles that only the database has are ignored. */
export function differences(roles: RolePermissions, stored: readonly StoredRole[]): readonly RoleDifference[] {
  const byType = new Map(stored.map((role) => [role.type, role]));
  return Object.entries(roles).flatMap(([role, wanted]) => {
    const found = byType.get(role);
    const given = new Set(found?.permissions);
    const named = new Set(wanted);
    const missing = wanted.filter((permission) => !given.has(permission));
    const further = [...given].filter((permission) => !named.has(permission)).sort();
    return found && missing.length + further.length === 0 ? [] : [{ role, id: found?.id, missing, further }];
  });
}

function writeOf(dialect: Dialect, { role, id, missing, further }: RoleDifference): RoleWrite {
  if (id === undefined) return insertRole(dialect, role, { actions: missing });
  const steps = [...removePermissions(id, further), ...addPermissions(id, missing)];
  return { subject: { action: 'update', type: 'role', id }, steps };
}

/** Updates the permissions in the database to those in the schema. Returns what was changed. */
export function applyPermissions(database: Database, roles: RolePermissions): Promise<readonly RoleDifference[]> {
  return database.write(async (tx) => {
    const found = differences(roles, await readRoles(tx));
    const writes = found.map((difference) => writeOf(tx.dialect, difference));
    return planRoles(writes, found);
  });
}
