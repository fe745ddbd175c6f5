/** The tables of roles: what is stored, and how it is changed. */
import { insertRow, updateRows, type Columns } from '../write/columns.ts';
import type { Database, Executor } from '../database/database.ts';
import { UniqueViolation } from '../database/database.ts';
import { join, sql } from '../database/sql.ts';

/** Role → what it may do: as the schema says it. */
export type RolePermissions = Readonly<Record<string, readonly string[]>>;

export interface StoredRole {
  readonly id: number;
  /** What the schema calls it. */
  readonly type: string;
  readonly permissions: readonly string[];
}

export const PUBLIC = 'public';
export const AUTHENTICATED = 'authenticated';

export const API_TOKEN = 'api token';

/** Name and description of the roles that always exist. */
const BUILT_IN: ReadonlyMap<string, readonly [name: string, description: string]> = new Map([
  [PUBLIC, ['Public', 'Everybody who is not signed in.']],
  [AUTHENTICATED, ['Authenticated', 'Users, unless they have another role.']],
]);

const COUNTER = 'access';

/** How often roles and permissions have changed. 0 before the first start. */
export async function accessVersion(executor: Executor): Promise<number> {
  const row = await executor.get(sql`SELECT version FROM access_changes WHERE name = ${COUNTER}`);
  return Number(row?.['version'] ?? 0);
}

/** Has every instance of the server read roles and permissions again. Part of each transaction that changes them. */
export async function countAccessChange(tx: Executor): Promise<void> {
  const { changes } = await tx.run(sql`UPDATE access_changes SET version = version + 1 WHERE name = ${COUNTER}`);
  if (changes === 0) await tx.run(sql`INSERT INTO access_changes (name, version) VALUES (${COUNTER}, 1)`);
}

/** All roles, in the order of their ids. */
export async function readRoles(executor: Executor): Promise<readonly StoredRole[]> {
  const { id: quote } = executor.dialect;
  const rows = await executor.all(
    sql`SELECT r.id, r.${quote('type')} AS ${quote('type')}, p.action FROM user_roles AS r LEFT JOIN user_role_permissions AS p ON p.role_id = r.id ORDER BY r.id, p.action`,
  );
  const roles = new Map<number, { id: number; type: string; permissions: string[] }>();
  for (const row of rows) {
    const id = Number(row['id']);
    const role = roles.get(id) ?? { id, type: String(row['type']), permissions: [] };
    if (row['action'] !== null) role.permissions.push(String(row['action']));
    roles.set(id, role);
  }
  return [...roles.values()];
}

/** What a role may do now. */
export async function permissionsOfRole(executor: Executor, id: number): Promise<readonly string[]> {
  const rows = await executor.all(sql`SELECT action FROM user_role_permissions WHERE role_id = ${id}`);
  return rows.map((row) => String(row['action']));
}

/** What a person may say about a role. */
export interface RoleText {
  readonly name?: string;
  readonly description?: string | null;
}

function textColumns(tx: Executor, { name, description }: RoleText): Columns {
  const columns: Columns = new Map([['updated_at', sql`${tx.dialect.bind('datetime', new Date().toISOString())}`]]);
  if (name !== undefined) columns.set('name', sql`${name}`);
  if (description !== undefined) columns.set('description', sql`${description}`);
  return columns;
}

/** Adds a role that may do nothing yet; answers its id. Throws UniqueViolation where there is one of that type. */
export async function insertRole(tx: Executor, type: string, text: RoleText = {}): Promise<number> {
  const [name = type, description = null] = BUILT_IN.get(type) ?? [];
  const columns = textColumns(tx, { name, description, ...text });
  columns.set('type', sql`${type}`).set('created_at', columns.get('updated_at') ?? sql`NULL`);
  return insertRow(tx, 'user_roles', columns);
}

/** False if there is no such role. */
export async function updateRole(tx: Executor, id: number, text: RoleText): Promise<boolean> {
  return updateRows(tx, 'user_roles', sql`id = ${id}`, textColumns(tx, text));
}

/** Deletes a role; its users get the role `heir`. */
export async function deleteRole(tx: Executor, id: number, heir: number): Promise<void> {
  await tx.run(sql`UPDATE users SET role_id = ${heir} WHERE role_id = ${id}`);
  await tx.run(sql`DELETE FROM user_roles WHERE id = ${id}`);
}

/** How many rows one statement inserts, so that no engine has too many parameters. */
const ROWS_AT_ONCE = 200;

/** Gives what a role may do. */
export async function addPermissions(tx: Executor, role: number, actions: readonly string[]): Promise<void> {
  for (let start = 0; start < actions.length; start += ROWS_AT_ONCE) {
    const rows = actions.slice(start, start + ROWS_AT_ONCE).map((action) => sql`(${role}, ${action})`);
    await tx.run(sql`INSERT INTO user_role_permissions (role_id, action) VALUES ${join(rows, ', ')}`);
  }
}

/** Takes what a role may no longer do. */
export async function removePermissions(tx: Executor, role: number, actions: readonly string[]): Promise<void> {
  for (const action of actions) {
    await tx.run(sql`DELETE FROM user_role_permissions WHERE role_id = ${role} AND action = ${action}`);
  }
}

async function fill(tx: Executor, roles: RolePermissions): Promise<boolean> {
  if (await tx.get(sql`SELECT id FROM user_roles LIMIT 1`)) return false;
  for (const [type, actions] of Object.entries(roles)) await addPermissions(tx, await insertRole(tx, type), actions);
  await countAccessChange(tx);
  return true;
}

/**
 * Fills the tables with what the schema says, where there are no roles yet; true if it did. Of several instances that start
 * at the same moment one does it.
 */
export async function fillRoles(database: Database, roles: RolePermissions): Promise<boolean> {
  if (await database.get(sql`SELECT id FROM user_roles LIMIT 1`)) return false;
  try {
    return await database.transaction((tx) => fill(tx, roles));
  } catch (error) {
    if (error instanceof UniqueViolation) return false;
    throw error;
  }
}
