/** The tables that a server needs for itself, beside those of its content types. The runtime knows them by these names. */
import { foreignKeyOf, indexOf, needed } from './table-parts.ts';
import type { Column, ColumnType, Table } from './storage-model.ts';

/** A column that always has a value. */
function filled(name: string, type: ColumnType): Column {
  return { name, type, role: 'other', nullable: false };
}

/** A column that may be empty. */
function optional(name: string, type: ColumnType): Column {
  return { ...filled(name, type), nullable: true };
}

function table(
  name: string,
  purpose: string,
  parts: Pick<Table, 'primaryKey' | 'columns'> & Partial<Pick<Table, 'foreignKeys' | 'indexes'>>,
): Table {
  return { name, kind: 'server', purpose, foreignKeys: [], indexes: [], ...parts };
}

/** A table of what one row of another table may do. */
function permissionTable(name: string, purpose: string, owner: Column, owners: string): Table {
  return table(name, purpose, {
    primaryKey: [owner.name, 'action'],
    columns: [owner, filled('action', 'string')],
    foreignKeys: [foreignKeyOf(name, owner.name, owners, 'cascade')],
  });
}

/** What each role may do. */
export const ROLE_PERMISSIONS = permissionTable(
  'user_role_permissions',
  'roles, what they may do',
  filled('role_id', 'id'),
  'user_roles',
);

/** `user_id`: who made it, with whom it ends; empty: the command line. */
const API_TOKENS = table('api_tokens', 'API tokens', {
  primaryKey: ['id'],
  columns: [
    needed('id', 'id'),
    filled('name', 'string'),
    filled('kind', 'string'),
    filled('hash', 'string'),
    needed('createdAt', 'datetime'),
    optional('expires_at', 'datetime'),
    optional('last_used_at', 'datetime'),
    optional('user_id', 'id'),
  ],
  foreignKeys: [foreignKeyOf('api_tokens', 'user_id', 'users', 'cascade')],
  indexes: [
    indexOf('api_tokens', ['name'], true),
    indexOf('api_tokens', ['hash'], true),
    indexOf('api_tokens', ['user_id'], false),
  ],
});

/** What each custom API token may do. */
export const API_TOKEN_PERMISSIONS = permissionTable(
  'api_token_permissions',
  'API tokens, what they may do',
  filled('token_id', 'id'),
  'api_tokens',
);

/** Counts the changes of roles and permissions, so that every instance notices them. */
const ACCESS_CHANGES = table('access_changes', 'changes of roles and permissions', {
  primaryKey: ['name'],
  columns: [filled('name', 'string'), filled('version', 'biginteger')],
});

/** Tries to sign in and the like, of the current minute. `expires_at` is in milliseconds since 1970. */
const RATE_LIMITS = table('rate_limits', 'limits of tries', {
  primaryKey: ['name'],
  columns: [filled('name', 'string'), filled('tries', 'integer'), filled('expires_at', 'biginteger')],
});

/**
 * Names of stored files of which it is not settled whether an entry has them: they are about to get one (`removing` 0), or
 * have lost it (1). `since` is in milliseconds since 1970. Only where something refers to files.
 */
export const PENDING_FILES = table('pending_files', 'stored files without an entry', {
  primaryKey: ['name'],
  columns: [
    filled('name', 'string'),
    filled('provider', 'string'),
    filled('removing', 'integer'),
    filled('since', 'biginteger'),
  ],
});

/** In an order in which they can be created, after the tables of the built-in types. */
export const SERVER_TABLES: readonly Table[] = [
  ROLE_PERMISSIONS,
  API_TOKENS,
  API_TOKEN_PERMISSIONS,
  ACCESS_CHANGES,
  RATE_LIMITS,
];
