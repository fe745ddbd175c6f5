/** Queries about the purpose of a table. */
import { schemaName } from './published-layout.ts';
import type {
  Column,
  ColumnRole,
  ServerTableRole,
  StorageModel,
  Table,
  TableIdentity,
  TypeTable,
} from './storage-model.ts';

/** Whether a table is the main table of a content type. */
export function isTypeTable(table: Table): table is TypeTable {
  return table.kind === 'type';
}

/** The main table of the content type `uid`. */
export function typeTable({ tables }: StorageModel, uid: string): TypeTable | undefined {
  return tables.filter(isTypeTable).find((table) => table.uid === uid);
}

/** The uid of the content type that a table belongs to; undefined for the server's own tables. */
export function uidOf(table: TableIdentity): string | undefined {
  return table.kind === 'server' ? undefined : table.uid;
}

const SERVER_TABLES: Readonly<Record<ServerTableRole, string>> = {
  rolePermissions: 'roles, what they may do',
  apiTokens: 'API tokens',
  apiTokenPermissions: 'API tokens, what they may do',
  accessChanges: 'changes of roles and permissions',
  rateLimits: 'rate limits',
  idempotencyKeys: 'requests with an Idempotency-Key',
  outbox: 'events to be told',
  outboxReceivers: 'receivers of events',
  auditLog: 'the audit',
  auditChain: 'the chain of the audit',
  eventLog: 'events that clients wait for',
  eventPositions: 'events, their order',
  queuedJobs: 'jobs to be done',
  jobSchedules: 'when scheduled jobs are due',
  scheduledPublications: 'when entries are published or taken back',
  releases: 'releases',
  trash: 'deleted entries',
  history: 'versions of entries',
  pendingFiles: 'stored files without an entry',
  uploadFolders: 'folders of the media library',
  componentIds: 'components, their ids',
  other: 'another table of the server',
};

/** The part of the schema that a table stems from, for messages: `article`, `article.tags`. */
export function originOf(table: TableIdentity): string {
  switch (table.kind) {
    case 'type':
      return schemaName(table.uid);
    case 'link':
    case 'morph':
      return schemaName(`${table.uid}.${table.attribute}`);
    case 'componentLinks':
      return `${schemaName(table.uid)}, inside its components`;
    case 'server':
      return SERVER_TABLES[table.role];
  }
}

/** Tells the tables of types apart, those of drafts and those of published versions. */
export function labelOfTable(table: TableIdentity): string {
  switch (table.kind) {
    case 'type':
    case 'componentLinks':
      return `${table.kind} ${table.uid}`;
    case 'link':
    case 'morph':
      return `${table.kind} ${table.uid}.${table.attribute}`;
    case 'server':
      return `${table.kind} ${table.role}`;
  }
}

/** The column of a table with the given role. */
export function columnWithRole({ columns }: Table, role: ColumnRole): Column | undefined {
  return columns.find((column) => column.role === role);
}

export function hasRole(table: Table, role: ColumnRole): boolean {
  return columnWithRole(table, role) !== undefined;
}

/** Whether the database generates the ids of the rows. */
export function hasGeneratedId({ primaryKey, columns, foreignKeys }: Table): boolean {
  const [key] = primaryKey;
  // Published versions have the ids of their drafts.
  const isGiven = foreignKeys.some(({ column }) => column === key);
  return primaryKey.length === 1 && !isGiven && columns.some(({ name, role }) => role === 'id' && name === key);
}
