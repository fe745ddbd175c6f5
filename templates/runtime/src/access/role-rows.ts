/** Reads and writes the tables of roles and permissions. */
import { AUTHENTICATED, PUBLIC } from '../contract/policy/built-in-roles.ts';
import { type Columns, insertInto, updateWhere } from '../write/columns.ts';
import { addVersionIncrement, versionIncrement } from '../write/version.ts';
import { type Database, UniqueViolation } from '../database/database.ts';
import type { Executor } from '../database/executor.ts';
import {
  statement,
  type Statement,
  type Step,
  type Subject,
  type Transaction,
  type WritePlan,
} from '../database/write-plan.ts';
import type { Dialect } from '../database/dialect.ts';
import { NewId } from '../database/new-id.ts';
import { deleteRows, join, raw, sql } from '../database/sql.ts';

/** Role → permissions, as in the schema. */
export type RolePermissions = Readonly<Record<string, readonly string[]>>;

export interface StoredRole {
  readonly id: number;
  /** Its name in the schema. */
  readonly type: string;
  readonly permissions: readonly string[];
}

export const API_TOKEN = 'api token';

/** Roles that always exist → name and description. */
const BUILT_IN: ReadonlyMap<string, readonly [name: string, description: string]> = new Map([
  [PUBLIC, ['Public', 'Callers who are not signed in.']],
  [AUTHENTICATED, ['Authenticated', 'Users without another role.']],
]);

const COUNTER = 'access';

/** Counter of changes of roles and permissions. 0 before the first start. */
export async function accessVersion(executor: Executor): Promise<number> {
  const row = await executor.get(sql`SELECT version FROM access_changes WHERE name = ${COUNTER}`);
  return Number(row?.['version'] ?? 0);
}

/** Increments the counter, so that every instance of the server reloads the roles. Must be part of each write that changes them. */
export function incrementAccessVersion(): readonly Step[] {
  const update = sql`UPDATE access_changes SET version = version + 1 WHERE name = ${COUNTER}`;
  const count: Statement = { sql: update, returns: 'changes' };
  const insert = statement(sql`INSERT INTO access_changes (name, version) VALUES (${COUNTER}, 1)`);
  return [count, (_, outcome) => Promise.resolve(outcome.of(count).changes === 0 ? [insert] : [])];
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

/** The permissions of a role, uncached. */
export async function permissionsOfRole(executor: Executor, id: number): Promise<readonly string[]> {
  const rows = await executor.all(sql`SELECT action FROM user_role_permissions WHERE role_id = ${id}`);
  return rows.map((row) => String(row['action']));
}

/** The name and description of a role. */
export interface RoleText {
  readonly name?: string;
  readonly description?: string | null;
}

function textColumns(dialect: Dialect, { name, description }: RoleText): Columns {
  const columns: Columns = new Map([['updated_at', dialect.bind('datetime', new Date().toISOString())]]);
  if (name !== undefined) columns.set('name', name);
  if (description !== undefined) columns.set('description', description);
  return columns;
}

/** The statements of a write to a role, without `incrementAccessVersion`. */
export interface RoleWrite {
  readonly subject: Subject;
  readonly steps: readonly Step[];
}

/** Adds a role with its permissions. The write fails with UniqueViolation if there is a role of that type. */
export function insertRole(
  dialect: Dialect,
  type: string,
  { text = {}, actions }: { readonly text?: RoleText; readonly actions: readonly string[] },
): RoleWrite {
  const [name = type, description = null] = BUILT_IN.get(type) ?? [];
  const columns = textColumns(dialect, { name, description, ...text });
  columns.set('type', type).set('created_at', columns.get('updated_at') ?? null);
  const id = new NewId('user_roles');
  const row = insertInto(dialect, 'user_roles', columns, { generatedId: id });
  return { subject: { action: 'create', type: 'role', id }, steps: [row, ...addPermissions(id, actions)] };
}

/** Updates name and description of a role. The write fails with `noRowError` if there is no such role. */
export function updateRole(dialect: Dialect, id: number, text: RoleText, noRowError: () => Error): Statement {
  return updateWhere(dialect, 'user_roles', {
    condition: sql`id = ${id}`,
    columns: addVersionIncrement(dialect, textColumns(dialect, text)),
    noRowError,
  });
}

/** Deletes a role; its users get the role `heir`. */
export function deleteRole(dialect: Dialect, id: number, heir: number): readonly Statement[] {
  return [
    statement(sql`UPDATE users SET role_id = ${heir}, ${versionIncrement(dialect)} WHERE role_id = ${id}`),
    statement(deleteRows(raw('user_roles'), sql`id = ${id}`)),
  ];
}

/** Rows per statement: keeps the number of parameters below the limit of every engine. */
const ROWS_AT_ONCE = 200;

/** Inserts permissions of a role. */
export function addPermissions(role: number | NewId, actions: readonly string[]): readonly Statement[] {
  const statements: Statement[] = [];
  for (let start = 0; start < actions.length; start += ROWS_AT_ONCE) {
    const rows = actions.slice(start, start + ROWS_AT_ONCE).map((action) => sql`(${role}, ${action})`);
    statements.push(statement(sql`INSERT INTO user_role_permissions (role_id, action) VALUES ${join(rows, ', ')}`));
  }
  return statements;
}

/** Deletes permissions of a role. */
export function removePermissions(role: number, actions: readonly string[]): readonly Statement[] {
  return actions.map((action) =>
    statement(deleteRows(raw('user_role_permissions'), sql`role_id = ${role} AND action = ${action}`)),
  );
}

/** Combines writes to roles into one plan. `answer` is its result. */
export function planRoles<T>(writes: readonly RoleWrite[], answer: T): WritePlan<T> {
  const steps = writes.flatMap((one) => one.steps);
  return {
    subjects: writes.map(({ subject }) => subject),
    steps: steps.length === 0 ? [] : [...steps, ...incrementAccessVersion()],
    answer: () => answer,
  };
}

async function planFill(tx: Transaction, roles: RolePermissions): Promise<WritePlan<boolean>> {
  if (await tx.get(sql`SELECT id FROM user_roles LIMIT 1`)) return planRoles([], false);
  const writes = Object.entries(roles).map(([type, actions]) => insertRole(tx.dialect, type, { actions }));
  return planRoles(writes, true);
}

/**
 * Inserts the roles of the schema if the table is empty; returns whether it did. If several instances start at the same time, only
 * one of them succeeds.
 */
export async function fillRoles(database: Database, roles: RolePermissions): Promise<boolean> {
  if (await database.get(sql`SELECT id FROM user_roles LIMIT 1`)) return false;
  try {
    return await database.write((tx) => planFill(tx, roles));
  } catch (error) {
    if (error instanceof UniqueViolation) return false;
    throw error;
  }
}
