/** Reads and writes the tables of roles and permissions. */
import { COLUMN_NAMES } from '../contract/column-names.ts';
import { AUTHENTICATED, PUBLIC } from '../contract/policy/built-in-roles.ts';
import { permissionSet } from '../contract/policy/permission-set.ts';
import type { Permissions, Rule, Rules } from '../contract/policy/rule.ts';
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
import { deleteRows, join, raw, sql, type Sql } from '../database/sql.ts';
import type { Row } from '../database/statement-runner.ts';

/** Role → permissions, as in the schema. */
export type RolePermissions = Readonly<Record<string, readonly string[]>>;

/** The roles of a schema. */
export interface SchemaRoles {
  readonly roles: RolePermissions;
  /** Role → the rules of its permissions. Undefined if the schema has none: then the table has no column for them. */
  readonly rules?: Readonly<Record<string, Rules>>;
}

export interface StoredRole {
  readonly id: number;
  /** Its name in the schema. */
  readonly type: string;
  readonly permissions: readonly string[];
  readonly rules: Rules;
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

/** The column with the rule of a permission, of the table `p`; NULL where the schema has no rules. */
function ruleColumn({ id: quote }: Dialect, hasRules: boolean): Sql {
  return hasRules ? sql`p.${quote('rule')}` : raw('NULL');
}

/** The rules in rows with `action` and `rule`. */
function rulesIn(rows: readonly Row[]): Rules {
  const ruled = rows.filter(({ rule }) => typeof rule === 'string');
  return Object.fromEntries(ruled.map(({ action, rule }) => [String(action), JSON.parse(String(rule)) as Rule]));
}

/** All roles, in the order of their ids. `hasRules`: whether the schema has rules. */
export async function readRoles(executor: Executor, hasRules: boolean): Promise<readonly StoredRole[]> {
  const { id: quote } = executor.dialect;
  const rule = ruleColumn(executor.dialect, hasRules);
  const rows = await executor.all(
    sql`SELECT r.id, r.${quote('type')} AS ${quote('type')}, p.action, ${rule} AS ${quote('rule')} FROM user_roles AS r LEFT JOIN user_role_permissions AS p ON p.role_id = r.id ORDER BY r.id, p.action`,
  );
  const byRole = new Map<number, Row[]>();
  for (const row of rows) {
    const id = Number(row['id']);
    byRole.set(id, [...(byRole.get(id) ?? []), row]);
  }
  return [...byRole].map(([id, own]) => {
    const permissions = own.flatMap(({ action }) => (action === null ? [] : [String(action)]));
    return { id, type: String(own[0]?.['type']), permissions, rules: rulesIn(own) };
  });
}

/** The permissions of a role, uncached. `hasRules`: whether to read their rules, which the schema must then have. */
export async function permissionsOfRole(executor: Executor, id: number, hasRules: boolean): Promise<Permissions> {
  const rule = ruleColumn(executor.dialect, hasRules);
  const rows = await executor.all(
    sql`SELECT p.action, ${rule} AS ${executor.dialect.id('rule')} FROM user_role_permissions AS p WHERE p.role_id = ${id}`,
  );
  return permissionSet(
    rows.map((row) => String(row['action'])),
    rulesIn(rows),
  );
}

/** The name and description of a role. */
export interface RoleText {
  readonly name?: string;
  readonly description?: string | null;
}

function textColumns(dialect: Dialect, { name, description }: RoleText): Columns {
  const columns: Columns = new Map([[COLUMN_NAMES.updatedAt, dialect.bind('datetime', new Date().toISOString())]]);
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
  {
    text = {},
    actions,
    rules,
  }: { readonly text?: RoleText; readonly actions: readonly string[]; readonly rules?: Rules | undefined },
): RoleWrite {
  const [name = type, description = null] = BUILT_IN.get(type) ?? [];
  const columns = textColumns(dialect, { name, description, ...text });
  columns.set('type', type).set(COLUMN_NAMES.createdAt, columns.get(COLUMN_NAMES.updatedAt) ?? null);
  const id = new NewId('user_roles');
  const row = insertInto(dialect, 'user_roles', columns, { generatedId: id });
  return {
    subject: { action: 'create', type: 'role', id },
    steps: [row, ...addPermissions(dialect, id, actions, rules)],
  };
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

function insertPermissions(role: number | NewId, actions: readonly string[]): Statement {
  const rows = actions.map((action) => sql`(${role}, ${action})`);
  return statement(sql`INSERT INTO user_role_permissions (role_id, action) VALUES ${join(rows, ', ')}`);
}

/** Inserts permissions of a role, with those of `rules` that they have. */
export function addPermissions(
  { id: quote }: Dialect,
  role: number | NewId,
  actions: readonly string[],
  rules: Rules = {},
): readonly Statement[] {
  const plain = actions.filter((action) => !rules[action]);
  const starts = Array.from({ length: Math.ceil(plain.length / ROWS_AT_ONCE) }, (_, index) => index * ROWS_AT_ONCE);
  const ruled = actions.flatMap((action) => {
    const rule = rules[action];
    return rule ? [sql`(${role}, ${action}, ${JSON.stringify(rule)})`] : [];
  });
  return [
    ...starts.map((start) => insertPermissions(role, plain.slice(start, start + ROWS_AT_ONCE))),
    ...ruled.map((row) =>
      statement(sql`INSERT INTO user_role_permissions (role_id, action, ${quote('rule')}) VALUES ${row}`),
    ),
  ];
}

/** Gives permissions that a role has other rules, or none. */
export function changeRules(
  { id: quote }: Dialect,
  role: number,
  actions: readonly string[],
  rules: Rules,
): readonly Statement[] {
  return actions.map((action) => {
    const rule = rules[action] ? JSON.stringify(rules[action]) : null;
    return statement(
      sql`UPDATE user_role_permissions SET ${quote('rule')} = ${rule} WHERE role_id = ${role} AND action = ${action}`,
    );
  });
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

async function planFill(tx: Transaction, { roles, rules = {} }: SchemaRoles): Promise<WritePlan<boolean>> {
  if (await tx.get(sql`SELECT id FROM user_roles LIMIT 1`)) return planRoles([], false);
  const writes = Object.entries(roles).map(([type, actions]) =>
    insertRole(tx.dialect, type, { actions, rules: rules[type] }),
  );
  return planRoles(writes, true);
}

/**
 * Inserts the roles of the schema if the table is empty; returns whether it did. If several instances start at the same time, only
 * one of them succeeds.
 */
export async function fillRoles(database: Database, schema: SchemaRoles): Promise<boolean> {
  if (await database.get(sql`SELECT id FROM user_roles LIMIT 1`)) return false;
  try {
    return await database.write((tx) => planFill(tx, schema));
  } catch (error) {
    if (error instanceof UniqueViolation) return false;
    throw error;
  }
}
