/**
 * Reads plans of formats 1 and 2, which versions until 0.2.0 wrote: existing migrations never change. There, one text (`origin`) says
 * what a table or a column is for, and the rest follows from names and types. All words here are those of that time.
 */
import type { Change } from './change.ts';
import type { MigrationPlan } from './plan.ts';
import {
  type ColumnRole,
  roleOfAttribute,
  type ServerTableRole,
  type Table,
  type TableIdentity,
} from './planned-table.ts';
import type { StoredType } from '../stored-table.ts';

/** A plan of any format, as JSON. */
export type RecordedPlan = Omit<MigrationPlan, 'format' | 'changes'> & {
  readonly format?: number;
  readonly changes?: readonly Change[] | readonly FormerChange[];
};

/** A change whose parts have an `origin`. */
type FormerChange = { readonly kind: string } & Readonly<Record<string, unknown>>;

interface FormerColumn {
  readonly name: string;
  readonly type: StoredType;
  readonly origin?: string;
}

interface FormerTable {
  readonly name: string;
  readonly origin: string;
  readonly columns: readonly FormerColumn[];
}

const ROLES: ReadonlyMap<string, ColumnRole> = new Map([
  ['id', 'id'],
  ['created_at', 'createdAt'],
  ['updated_at', 'updatedAt'],
  ['_version', 'version'],
  ['published_at', 'publishedAt'],
  ['document_id', 'documentId'],
  ['locale', 'locale'],
  ['singleton', 'singleton'],
  ['owner_id', 'owner'],
  ['target_id', 'target'],
  ['position', 'position'],
  ['inverse_position', 'inversePosition'],
  ['item_id', 'item'],
  ['attribute', 'itemAttribute'],
]);

const SERVER_TABLES: ReadonlyMap<string, ServerTableRole> = new Map([
  ['roles, what they may do', 'rolePermissions'],
  ['API tokens', 'apiTokens'],
  ['API tokens, what they may do', 'apiTokenPermissions'],
  ['changes of roles and permissions', 'accessChanges'],
  ['limits of tries', 'rateLimits'],
  ['stored files without an entry', 'pendingFiles'],
  ['components, their ids', 'componentIds'],
]);

const KINDS: ReadonlyMap<string, Change['kind']> = new Map([
  ['describeTable', 'relabelTable'],
  ['describeColumn', 'relabelColumn'],
  ['keepInStep', 'createSyncTriggers'],
  ['letApart', 'dropSyncTriggers'],
]);

const INSIDE = ', inside its components';

type Kind = Table['kind'];

/** `origin`: `article`, `article.tags`, `article, inside its components`, or what a table of the server is for. */
function kindOfTable(origin: string, columns: readonly FormerColumn[]): Kind {
  if (origin.endsWith(INSIDE)) return 'componentLinks';
  if (/^[a-z0-9-]+$/u.test(origin)) return 'type';
  if (!origin.includes('.')) return 'server';
  return columns.some(({ name }) => name === 'target_id') ? 'link' : 'morph';
}

function identityOf(kind: Kind, origin: string): TableIdentity {
  switch (kind) {
    case 'type':
      return { kind, uid: origin };
    case 'componentLinks':
      return { kind, uid: origin.slice(0, -INSIDE.length) };
    case 'server':
      return { kind, role: SERVER_TABLES.get(origin) ?? 'other' };
    case 'link':
    case 'morph': {
      const dot = origin.indexOf('.');
      return { kind, uid: origin.slice(0, dot), attribute: origin.slice(dot + 1) };
    }
  }
}

function roleOfColumn(kind: Kind, { name, type, origin }: FormerColumn): ColumnRole {
  if (origin === undefined) return ROLES.get(name) ?? 'other';
  return kind === 'type' ? roleOfAttribute(type) : 'target';
}

/** A column, or its label. Its `origin` is an attribute, or the type of a target. Members keep their order, by which builds compare. */
function decodedColumn(kind: Kind, column: Partial<FormerColumn>): object {
  const members = Object.entries(column).flatMap(([key, value]): readonly (readonly [string, unknown])[] => {
    if (key === 'origin') return [[kind === 'type' ? 'attribute' : 'targetType', value]];
    return key === 'type'
      ? [
          [key, value],
          ['role', roleOfColumn(kind, column as FormerColumn)],
        ]
      : [[key, value]];
  });
  return Object.fromEntries(members);
}

function decodedTable({ name, origin, ...rest }: FormerTable): object {
  const kind = kindOfTable(origin, rest.columns);
  return { name, ...identityOf(kind, origin), ...rest, columns: rest.columns.map((one) => decodedColumn(kind, one)) };
}

/** Decodes a change; `kindOf` is the kind of the table with a name. */
function decodedChange(change: FormerChange, kindOf: (table: string) => Kind): Change {
  const result: Record<string, unknown> = { ...change, kind: KINDS.get(change.kind) ?? change.kind };
  const kind = kindOf(String(change['table']));
  switch (change.kind) {
    case 'createTable':
    case 'dropTable':
      result['table'] = decodedTable(change['table'] as FormerTable);
      break;
    case 'describeTable':
      for (const side of ['from', 'to']) {
        const { origin, ...label } = change[side] as FormerTable;
        result[side] = { ...identityOf(kind, origin), ...label };
      }
      break;
    case 'describeColumn':
      for (const side of ['from', 'to']) result[side] = decodedColumn(kind, change[side] as FormerColumn);
      break;
    case 'addColumn':
    case 'dropColumn':
    case 'alterColumn':
    case 'fillEmpty':
      for (const side of ['column', 'from', 'to']) {
        if (change[side] !== undefined) result[side] = decodedColumn(kind, change[side] as FormerColumn);
      }
  }
  return result as unknown as Change;
}

/**
 * Decodes all plans of a history, in order from the first one: in former formats, the meaning of a column depends on the table that an
 * earlier plan created. Plans of the present format are returned as they are.
 */
export function decodePlans(plans: readonly RecordedPlan[]): readonly MigrationPlan[] {
  const kinds = new Map<string, Kind>();
  const kindOf = (table: string): Kind => kinds.get(table) ?? 'server';
  return plans.map(({ changes: recorded = [], ...plan }) => {
    const changes = recorded.map((change): Change => {
      const decoded = plan.format === 3 ? (change as Change) : decodedChange(change as FormerChange, kindOf);
      if (decoded.kind === 'createTable') kinds.set(decoded.table.name, decoded.table.kind);
      if (decoded.kind === 'renameTable') kinds.set(decoded.to, kindOf(decoded.from));
      return decoded;
    });
    return { ...plan, format: 3, ...(plan.format === 1 ? { withoutRules: true } : {}), changes };
  });
}
