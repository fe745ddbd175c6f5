/** Tables that the server needs besides those of content types. The runtime uses the same names. */
import { COLUMN_NAMES as NAMES } from '#contract/column-names.ts';
import { JOBS_TABLE, SCHEDULES_TABLE } from '#contract/jobs/job-tables.ts';
import { AUDIT_CHAIN_TABLE, AUDIT_LOG_TABLE } from '#contract/audit/audit-log.ts';
import { EVENT_LOG_TABLE, EVENT_POSITIONS_TABLE } from '#contract/events/event-log.ts';
import { HISTORY_TABLE } from '#contract/history/history-table.ts';
import { OUTBOX_TABLE, RECEIVERS_TABLE } from '#contract/events/webhook.ts';
import { PUBLICATIONS_TABLE, RELEASES_TABLE } from '#contract/schedules/schedule-tables.ts';
import { FOLDERS_TABLE } from '#contract/upload-folders.ts';
import { TRASH_TABLE } from '#contract/trash/trash-table.ts';
import type { ContentModel } from '../model/content-model.ts';
import { foreignKeyOf, indexOf, roleColumn } from './table-parts.ts';
import type { Column, ColumnType, ServerTableRole, Table } from './storage-model.ts';

/** A NOT NULL column. */
function requiredColumn(name: string, type: ColumnType): Column {
  return { name, type, role: 'other', nullable: false };
}

/** A nullable column. */
function nullableColumn(name: string, type: ColumnType): Column {
  return { ...requiredColumn(name, type), nullable: true };
}

function table(
  name: string,
  role: ServerTableRole,
  parts: Pick<Table, 'primaryKey' | 'columns'> & Partial<Pick<Table, 'foreignKeys' | 'indexes'>>,
): Table {
  return { name, kind: 'server', role, foreignKeys: [], indexes: [], ...parts };
}

/** A table of permissions granted to the rows of another table. */
function permissionTable(name: string, role: ServerTableRole, owner: Column, owners: string): Table {
  return table(name, role, {
    primaryKey: [owner.name, 'action'],
    columns: [owner, requiredColumn('action', 'string')],
    foreignKeys: [foreignKeyOf(name, owner.name, owners, 'cascade')],
  });
}

/** The permissions of each role. */
export const ROLE_PERMISSIONS = permissionTable(
  'user_role_permissions',
  'rolePermissions',
  requiredColumn('role_id', 'id'),
  'user_roles',
);

/** `user_id`: the user who created the token, with whom it is deleted; null if created on the command line. */
const API_TOKENS = table('api_tokens', 'apiTokens', {
  primaryKey: ['id'],
  columns: [
    roleColumn('id', 'id'),
    requiredColumn('name', 'string'),
    requiredColumn('kind', 'string'),
    requiredColumn('hash', 'string'),
    roleColumn('createdAt', 'datetime'),
    nullableColumn('expires_at', 'datetime'),
    nullableColumn('last_used_at', 'datetime'),
    nullableColumn('user_id', 'id'),
  ],
  foreignKeys: [foreignKeyOf('api_tokens', 'user_id', 'users', 'cascade')],
  indexes: [
    indexOf('api_tokens', ['name'], true),
    indexOf('api_tokens', ['hash'], true),
    indexOf('api_tokens', ['user_id'], false),
  ],
});

/** The permissions of each custom API token. */
export const API_TOKEN_PERMISSIONS = permissionTable(
  'api_token_permissions',
  'apiTokenPermissions',
  requiredColumn('token_id', 'id'),
  'api_tokens',
);

/** A version number of roles and permissions, incremented on each change, so that every instance notices changes. */
const ACCESS_CHANGES = table('access_changes', 'accessChanges', {
  primaryKey: ['name'],
  columns: [requiredColumn('name', 'string'), requiredColumn('version', 'biginteger')],
});

/** Rate limits: attempts, such as sign-ins, in the current minute. `expires_at` is in milliseconds since 1970. */
const RATE_LIMITS = table('rate_limits', 'rateLimits', {
  primaryKey: ['name'],
  columns: [
    requiredColumn('name', 'string'),
    requiredColumn('tries', 'integer'),
    requiredColumn('expires_at', 'biginteger'),
  ],
});

/**
 * Requests with an `Idempotency-Key`: what was asked, and how it was answered. `request_key` and `payload` are hashes; `since` is in
 * milliseconds since 1970; `status` is null until the answer is known. Rows are stored in the order of their writes: sorted by a hash,
 * each would be on a page of its own, which every write would have to change.
 */
const IDEMPOTENCY_KEYS = table('idempotency_keys', 'idempotencyKeys', {
  primaryKey: ['id'],
  columns: [
    roleColumn('id', 'id'),
    requiredColumn('request_key', 'string'),
    requiredColumn('payload', 'string'),
    requiredColumn('since', 'biginteger'),
    nullableColumn('status', 'integer'),
    nullableColumn('etag', 'string'),
    nullableColumn('body', 'text'),
  ],
  indexes: [indexOf('idempotency_keys', ['request_key'], true)],
});

/**
 * Names of stored files that may not belong to an entry: they are either about to get one (`removing` 0) or have lost
 * theirs (1). `since` is in milliseconds since 1970. Exists only if something refers to files.
 */
export const PENDING_FILES = table('pending_files', 'pendingFiles', {
  primaryKey: ['name'],
  columns: [
    requiredColumn('name', 'string'),
    requiredColumn('provider', 'string'),
    requiredColumn('removing', 'integer'),
    requiredColumn('since', 'biginteger'),
  ],
});

/**
 * The folders of the media library. `sibling_key` is unique: its parent and its name, without case. Exists only if the schema has folders.
 */
export const UPLOAD_FOLDERS = table(FOLDERS_TABLE, 'uploadFolders', {
  primaryKey: ['id'],
  columns: [
    roleColumn('id', 'id'),
    nullableColumn('parent_id', 'id'),
    requiredColumn('name', 'string'),
    requiredColumn('sibling_key', 'string'),
  ],
  foreignKeys: [foreignKeyOf(FOLDERS_TABLE, 'parent_id', FOLDERS_TABLE, 'restrict')],
  indexes: [indexOf(FOLDERS_TABLE, ['sibling_key'], true), indexOf(FOLDERS_TABLE, ['parent_id'], false)],
});

/**
 * Events, a row for each of their receivers, in the order of their writes. Times are in milliseconds since 1970; `state` is 0 until the
 * row is told (1) or given up (2); `tries` is JSON. Exists only if the schema has webhooks.
 */
const OUTBOX = table(OUTBOX_TABLE, 'outbox', {
  primaryKey: ['id'],
  columns: [
    roleColumn('id', 'id'),
    requiredColumn('receiver', 'string'),
    requiredColumn('event', 'string'),
    requiredColumn('subject', 'string'),
    requiredColumn('entry_id', 'biginteger'),
    nullableColumn(NAMES.documentId, 'string'),
    nullableColumn('entry_locale', 'string'),
    requiredColumn('entry_version', 'biginteger'),
    requiredColumn('actor', 'string'),
    nullableColumn('request_id', 'string'),
    requiredColumn('since', 'biginteger'),
    requiredColumn('entry', 'text'),
    requiredColumn('state', 'integer'),
    requiredColumn('due_at', 'biginteger'),
    nullableColumn('lease', 'string'),
    requiredColumn('attempts', 'integer'),
    nullableColumn('tries', 'text'),
  ],
  indexes: [
    indexOf(OUTBOX_TABLE, ['state', 'receiver', 'due_at', 'id'], false),
    indexOf(OUTBOX_TABLE, ['state', 'subject', 'entry_id'], false),
  ],
});

/** The receivers of events: since when one is disabled, and until when it is left alone after failures. */
const OUTBOX_RECEIVERS = table(RECEIVERS_TABLE, 'outboxReceivers', {
  primaryKey: ['name'],
  columns: [
    requiredColumn('name', 'string'),
    nullableColumn('disabled_at', 'biginteger'),
    nullableColumn('reason', 'text'),
    requiredColumn('failures', 'integer'),
    requiredColumn('paused_until', 'biginteger'),
  ],
});

/**
 * Events for `/api/_events`. `position` is null until the row has its place in the order in which all instances tell them; `shown` is 1
 * if it concerns what is public, and 0 if only a draft; `since` is in milliseconds since 1970. Exists only if the schema has events.
 */
const EVENT_LOG = table(EVENT_LOG_TABLE, 'eventLog', {
  primaryKey: ['id'],
  columns: [
    roleColumn('id', 'id'),
    nullableColumn('position', 'biginteger'),
    requiredColumn('event', 'string'),
    requiredColumn('subject', 'string'),
    requiredColumn('entry_id', 'biginteger'),
    nullableColumn(NAMES.documentId, 'string'),
    nullableColumn('entry_locale', 'string'),
    requiredColumn('shown', 'integer'),
    requiredColumn('since', 'biginteger'),
  ],
  indexes: [indexOf(EVENT_LOG_TABLE, ['position'], true)],
});

/**
 * Who did what. `position` and `hash` are null until the row is a link of the chain; `details` is JSON; `since` is in milliseconds since
 * 1970. Exists only if the schema has an audit.
 */
const AUDIT_LOG = table(AUDIT_LOG_TABLE, 'auditLog', {
  primaryKey: ['id'],
  columns: [
    roleColumn('id', 'id'),
    nullableColumn('position', 'biginteger'),
    nullableColumn('hash', 'string'),
    requiredColumn('since', 'biginteger'),
    requiredColumn('event', 'string'),
    nullableColumn('subject', 'string'),
    nullableColumn('subject_id', 'biginteger'),
    nullableColumn(NAMES.documentId, 'string'),
    nullableColumn('entry_locale', 'string'),
    requiredColumn('actor_kind', 'string'),
    nullableColumn('actor_id', 'biginteger'),
    nullableColumn('request_id', 'string'),
    nullableColumn('address', 'string'),
    nullableColumn('details', 'text'),
  ],
  indexes: [
    indexOf(AUDIT_LOG_TABLE, ['position'], true),
    indexOf(AUDIT_LOG_TABLE, ['subject', 'subject_id'], false),
    indexOf(AUDIT_LOG_TABLE, ['actor_kind', 'actor_id'], false),
    indexOf(AUDIT_LOG_TABLE, ['since'], false),
  ],
});

/** The last link of the audit's chain, and the last one that was deleted. */
const AUDIT_CHAIN = table(AUDIT_CHAIN_TABLE, 'auditChain', {
  primaryKey: ['name'],
  columns: [
    requiredColumn('name', 'string'),
    requiredColumn('position', 'biginteger'),
    requiredColumn('hash', 'string'),
  ],
});

/** The last place that was given in the order of events. */
const EVENT_POSITIONS = table(EVENT_POSITIONS_TABLE, 'eventPositions', {
  primaryKey: ['name'],
  columns: [requiredColumn('name', 'string'), requiredColumn('position', 'biginteger')],
});

/**
 * Jobs of the project's own code. Times are in milliseconds since 1970; `state` is 0 until the job is done (1) or given up (2); `input` and
 * `tries` are JSON. `job_key` is null, or what no other job of this name has. Exists only if the schema has jobs.
 */
const QUEUED_JOBS = table(JOBS_TABLE, 'queuedJobs', {
  primaryKey: ['id'],
  columns: [
    roleColumn('id', 'id'),
    requiredColumn('name', 'string'),
    nullableColumn('job_key', 'string'),
    nullableColumn('input', 'text'),
    requiredColumn('since', 'biginteger'),
    requiredColumn('state', 'integer'),
    requiredColumn('due_at', 'biginteger'),
    nullableColumn('lease', 'string'),
    requiredColumn('attempts', 'integer'),
    nullableColumn('tries', 'text'),
  ],
  indexes: [indexOf(JOBS_TABLE, ['state', 'due_at'], false), indexOf(JOBS_TABLE, ['name', 'job_key'], true)],
});

/** When each scheduled job has its next turn, and by which expression and time zone that was found. */
const JOB_SCHEDULES = table(SCHEDULES_TABLE, 'jobSchedules', {
  primaryKey: ['name'],
  columns: [
    requiredColumn('name', 'string'),
    requiredColumn('expression', 'string'),
    requiredColumn('next_at', 'biginteger'),
  ],
});

/**
 * When entries are published or taken back. Times are in milliseconds since 1970; `state` is 0 until it is done, and 1 once it was refused,
 * for the `reason`, which is JSON. `due_at` is `planned_at`, or when it is tried again. Exists only if the schema has schedules.
 */
const SCHEDULED_PUBLICATIONS = table(PUBLICATIONS_TABLE, 'scheduledPublications', {
  primaryKey: ['id'],
  columns: [
    roleColumn('id', 'id'),
    requiredColumn('subject', 'string'),
    requiredColumn('entry_id', 'biginteger'),
    requiredColumn('action', 'string'),
    requiredColumn('planned_at', 'biginteger'),
    requiredColumn('state', 'integer'),
    requiredColumn('due_at', 'biginteger'),
    nullableColumn('lease', 'string'),
    requiredColumn('attempts', 'integer'),
    requiredColumn('actor', 'string'),
    nullableColumn('reason', 'text'),
  ],
  indexes: [
    indexOf(PUBLICATIONS_TABLE, ['subject', 'entry_id', 'action'], true),
    indexOf(PUBLICATIONS_TABLE, ['state', 'due_at'], false),
  ],
});

/**
 * Releases: entries that are published together. `items`, `former` and `reason` are JSON; times are in milliseconds since 1970; `state` is 0
 * while it is published at `due_at`, 1 while it has no time, 2 once it is published, and 3 once it is reverted.
 */
const RELEASES = table(RELEASES_TABLE, 'releases', {
  primaryKey: ['id'],
  columns: [
    roleColumn('id', 'id'),
    requiredColumn('name', 'string'),
    requiredColumn('items', 'text'),
    nullableColumn('planned_at', 'biginteger'),
    requiredColumn('state', 'integer'),
    requiredColumn('due_at', 'biginteger'),
    nullableColumn('lease', 'string'),
    requiredColumn('attempts', 'integer'),
    requiredColumn('version', 'integer'),
    requiredColumn('actor', 'string'),
    requiredColumn(NAMES.createdAt, 'biginteger'),
    nullableColumn(NAMES.publishedAt, 'biginteger'),
    nullableColumn('former', 'text'),
    nullableColumn('reason', 'text'),
  ],
  indexes: [indexOf(RELEASES_TABLE, ['state', 'due_at'], false)],
});

/**
 * The versions of entries, in the order of their writes, each with its content in JSON (null if the entry was deleted). `state` is 0 for the
 * entry, or its draft, and 1 for its published version; `renames` says which renames of attributes the content has seen. Times are in
 * milliseconds since 1970. Exists only if some type has a history.
 */
const HISTORY = table(HISTORY_TABLE, 'history', {
  primaryKey: ['id'],
  columns: [
    roleColumn('id', 'id'),
    requiredColumn('subject', 'string'),
    requiredColumn('state', 'integer'),
    requiredColumn('entry_id', 'biginteger'),
    nullableColumn(NAMES.documentId, 'string'),
    nullableColumn('entry_locale', 'string'),
    requiredColumn('entry_version', 'biginteger'),
    requiredColumn('action', 'string'),
    requiredColumn('since', 'biginteger'),
    requiredColumn('actor', 'string'),
    nullableColumn('request_id', 'string'),
    requiredColumn('renames', 'integer'),
    nullableColumn('content', 'text'),
  ],
  indexes: [
    indexOf(HISTORY_TABLE, ['subject', 'state', 'entry_id', 'id'], false),
    indexOf(HISTORY_TABLE, [NAMES.documentId, 'subject'], false),
  ],
});

/**
 * Deleted entries that can be restored. Times are in milliseconds since 1970; `content` and `locales` are JSON. Exists only if a type has a trash.
 */
const TRASH = table(TRASH_TABLE, 'trash', {
  primaryKey: ['id'],
  columns: [
    roleColumn('id', 'id'),
    requiredColumn('subject', 'string'),
    requiredColumn('entry_id', 'biginteger'),
    nullableColumn(NAMES.documentId, 'string'),
    nullableColumn('title', 'text'),
    nullableColumn('locales', 'text'),
    requiredColumn('is_published', 'integer'),
    requiredColumn('deleted_at', 'biginteger'),
    requiredColumn('due_at', 'biginteger'),
    requiredColumn('actor', 'string'),
    requiredColumn('content', 'text'),
  ],
  indexes: [
    indexOf(TRASH_TABLE, ['subject', 'entry_id'], false),
    indexOf(TRASH_TABLE, ['subject', NAMES.documentId], false),
    indexOf(TRASH_TABLE, ['due_at'], false),
  ],
});

/** The tables that keep entries for later, by the names of their types and tables. */
export const RECORDS: readonly string[] = [SCHEDULED_PUBLICATIONS.name, RELEASES.name, TRASH.name];

/** The rules of permissions, as JSON. A column that exists only if the schema has rules. */
const RULE_COLUMN: Column = { name: 'rule', type: 'text', role: 'rule', nullable: true };

/** What of a schema the server's own tables depend on. */
type ServerSwitches = Pick<ContentModel, 'roles' | 'webhooks' | 'audit' | 'events' | 'jobs' | 'contentTypes'>;

/** In creation order, after the tables of the built-in types. */
export const SERVER_TABLES: readonly Table[] = [
  ROLE_PERMISSIONS,
  API_TOKENS,
  API_TOKEN_PERMISSIONS,
  ACCESS_CHANGES,
  RATE_LIMITS,
  IDEMPOTENCY_KEYS,
];

/** The tables of a server: those that each has, and those of what its schema switches on. */
export function serverTables({ roles, webhooks, audit, events, jobs, contentTypes }: ServerSwitches): readonly Table[] {
  const tables = [
    ...SERVER_TABLES,
    ...(webhooks ? [OUTBOX, OUTBOX_RECEIVERS] : []),
    ...(audit ? [AUDIT_LOG, AUDIT_CHAIN] : []),
    ...(events ? [EVENT_LOG, EVENT_POSITIONS] : []),
    ...(jobs ? [QUEUED_JOBS, JOB_SCHEDULES] : []),
    ...(contentTypes.some(({ schedules }) => schedules === true) ? [SCHEDULED_PUBLICATIONS, RELEASES] : []),
    ...(contentTypes.some(({ trash }) => trash !== undefined) ? [TRASH] : []),
    ...(contentTypes.some(({ history }) => history !== undefined) ? [HISTORY] : []),
  ];
  if (!roles.some(({ rules }) => rules !== undefined)) return tables;
  const ruled: Table = { ...ROLE_PERMISSIONS, columns: [...ROLE_PERMISSIONS.columns, RULE_COLUMN] };
  return tables.map((one) => (one === ROLE_PERMISSIONS ? ruled : one));
}
