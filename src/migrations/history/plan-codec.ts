/**
 * Converts plans between their form in `plan.json` and the one that all other code uses. A file identifies a table or a column by a
 * single string, `origin`; the rest follows from its shape. This format can't change: existing files never change, and older
 * versions read new files.
 */
import { COLUMN_NAMES, type NamedRole } from '../../storage/column-names.ts';
import type { Column, ColumnRole, ColumnType, Table, TableIdentity } from '../../storage/storage-model.ts';
import { originOf } from '../../storage/table-origin.ts';
import type { Change, ChangeOf, ColumnLabel, MigrationPlan, TableLabel } from './change.ts';

type Identifying = 'kind' | 'uid' | 'attribute' | 'targetType' | 'purpose' | 'role';

/** `origin` is the column's attribute, or its target type. */
type Recorded<T> = Omit<T, Identifying> & { readonly origin?: string };
export type RecordedColumn = Recorded<Column>;
export type RecordedColumnLabel = Recorded<ColumnLabel>;

/** `origin`: `article`, `article.tags`, `article, inside its components`, or the purpose of a server table. */
export interface RecordedTableLabel {
  readonly origin: string;
  /** For a link table: the attribute of the target type on the other side of the relation. */
  readonly inverse?: string;
}
export interface RecordedTable
  extends RecordedTableLabel, Pick<Table, 'name' | 'primaryKey' | 'foreignKeys' | 'indexes'> {
  readonly builtIn?: true;
  readonly columns: readonly RecordedColumn[];
}

export type RecordedChange = ChangeOf<RecordedTable, RecordedColumn, RecordedTableLabel, RecordedColumnLabel> & {
  readonly cause?: string;
};

/** The content of `plan.json`. */
export type RecordedPlan = MigrationPlan<RecordedChange>;

const ROLES: ReadonlyMap<string, NamedRole> = new Map(
  Object.entries(COLUMN_NAMES).map(([role, name]) => [name, role as NamedRole]),
);

/** The role of the column of an attribute, by its type. */
export function roleOfAttribute(type: ColumnType): ColumnRole {
  if (type === 'id') return 'foreignKey';
  return type === 'position' ? 'listPosition' : 'attribute';
}

type Members = Record<string, unknown>;

/** Replaces each member of an object by any number of members, and keeps their order, so that plans round-trip. */
function mapMembers(object: object, write: (result: Members, key: string, value: unknown) => void): Members {
  const result: Members = {};
  for (const [key, value] of Object.entries(object)) write(result, key, value);
  return result;
}

function roleOf(kind: Table['kind'], { name, type, origin }: RecordedColumn): ColumnRole {
  if (origin === undefined) return ROLES.get(name) ?? 'other';
  return kind === 'type' ? roleOfAttribute(type) : 'target';
}

/** The member that the origin of a column stands for, in a table of this kind. */
function ownerKey(kind: Table['kind']): 'attribute' | 'targetType' {
  return kind === 'type' ? 'attribute' : 'targetType';
}

function decodeColumn(kind: Table['kind'], column: RecordedColumn): Column {
  return mapMembers(column, (result, key, value) => {
    result[key === 'origin' ? ownerKey(kind) : key] = value;
    if (key === 'type') result['role'] = roleOf(kind, column);
  }) as unknown as Column;
}

function decodeLabel(kind: Table['kind'], label: RecordedColumnLabel): ColumnLabel {
  return mapMembers(label, (result, key, value) => {
    result[key === 'origin' ? ownerKey(kind) : key] = value;
  });
}

function encodeColumn(column: Column | ColumnLabel): RecordedColumn {
  return mapMembers(column, (result, key, value) => {
    if (key !== 'role') result[key === 'attribute' || key === 'targetType' ? 'origin' : key] = value;
  }) as unknown as RecordedColumn;
}

const INSIDE = ', inside its components';

function kindOf({ origin, columns }: RecordedTable): Table['kind'] {
  if (origin.endsWith(INSIDE)) return 'componentLinks';
  if (/^[a-z0-9-]+$/u.test(origin)) return 'type';
  if (!origin.includes('.')) return 'server';
  return columns.some(({ name }) => name === COLUMN_NAMES.target) ? 'link' : 'morph';
}

function identityOf(kind: Table['kind'], origin: string): TableIdentity {
  switch (kind) {
    case 'type':
      return { kind, uid: origin };
    case 'componentLinks':
      return { kind, uid: origin.slice(0, -INSIDE.length) };
    case 'server':
      return { kind, purpose: origin };
    case 'link':
    case 'morph': {
      const dot = origin.indexOf('.');
      return { kind, uid: origin.slice(0, dot), attribute: origin.slice(dot + 1) };
    }
  }
}

function decodeTableLabel(kind: Table['kind'], { origin, ...rest }: RecordedTableLabel): TableLabel {
  return { ...identityOf(kind, origin), ...rest };
}

function encodeTableLabel(label: TableLabel): RecordedTableLabel {
  const { inverse } = label.kind === 'link' ? label : {};
  return { origin: originOf(label), ...(inverse === undefined ? {} : { inverse }) };
}

function decodeTable(table: RecordedTable): Table {
  const kind = kindOf(table);
  return mapMembers(table, (result, key, value) => {
    if (key === 'origin') Object.assign(result, identityOf(kind, table.origin));
    else if (key === 'columns') result[key] = table.columns.map((one) => decodeColumn(kind, one));
    else result[key] = value;
  }) as unknown as Table;
}

function encodeTable(table: Table): RecordedTable {
  return mapMembers(table, (result, key, value) => {
    if (key === 'kind') result['origin'] = originOf(table);
    else if (key === 'columns') result[key] = table.columns.map(encodeColumn);
    // These are part of the origin.
    else if (key !== 'uid' && key !== 'attribute' && key !== 'purpose') result[key] = value;
  }) as unknown as RecordedTable;
}

/** The conversions of the parts of a change; `name` is the table that they belong to. */
interface Coding<T, C, TL, CL, T2, C2, TL2, CL2> {
  readonly table: (table: T) => T2;
  readonly column: (name: string, column: C) => C2;
  readonly tableLabel: (name: string, label: TL) => TL2;
  readonly columnLabel: (name: string, label: CL) => CL2;
}

function coded<T, C, TL, CL, T2, C2, TL2, CL2>(
  coding: Coding<T, C, TL, CL, T2, C2, TL2, CL2>,
  change: ChangeOf<T, C, TL, CL> & { readonly cause?: string },
): ChangeOf<T2, C2, TL2, CL2> & { readonly cause?: string } {
  switch (change.kind) {
    case 'createTable':
    case 'dropTable':
      return { ...change, table: coding.table(change.table) };
    case 'describeTable': {
      const { table, from, to } = change;
      return { ...change, from: coding.tableLabel(table, from), to: coding.tableLabel(table, to) };
    }
    case 'addColumn':
    case 'dropColumn':
      return { ...change, column: coding.column(change.table, change.column) };
    case 'describeColumn': {
      const { table, from, to } = change;
      return { ...change, from: coding.columnLabel(table, from), to: coding.columnLabel(table, to) };
    }
    case 'alterColumn': {
      const { table, from, to } = change;
      return { ...change, from: coding.column(table, from), to: coding.column(table, to) };
    }
    case 'fillEmpty': {
      const { from, ...rest } = change;
      const column = coding.column(change.table, change.column);
      return from === undefined ? { ...rest, column } : { ...change, column, from: coding.column(change.table, from) };
    }
    default:
      return change;
  }
}

/**
 * Decodes all plans, in order from the first one: the meaning of a column depends on the table that an earlier plan created.
 * Throws for plans that `planFormat` does not allow.
 */
export function decodePlans(plans: readonly RecordedPlan[]): readonly MigrationPlan[] {
  const kinds = new Map<string, Table['kind']>();
  const kindOfTable = (name: string): Table['kind'] => kinds.get(name) ?? 'server';
  const decoding = {
    table: decodeTable,
    column: (name: string, column: RecordedColumn) => decodeColumn(kindOfTable(name), column),
    tableLabel: (name: string, label: RecordedTableLabel) => decodeTableLabel(kindOfTable(name), label),
    columnLabel: (name: string, label: RecordedColumnLabel) => decodeLabel(kindOfTable(name), label),
  };
  const decode = (recorded: RecordedChange): Change => {
    const change = coded(decoding, recorded);
    if (change.kind === 'createTable') kinds.set(change.table.name, change.table.kind);
    if (change.kind === 'renameTable') kinds.set(change.to, kindOfTable(change.from));
    return change;
  };
  return plans.map((plan) => ({ ...plan, changes: plan.changes.map(decode) }));
}

/** Encodes changes for `plan.json`. */
export function encodeChanges(changes: readonly Change[]): readonly RecordedChange[] {
  const column = (_: string, own: Column | ColumnLabel) => encodeColumn(own);
  const tableLabel = (_: string, label: TableLabel) => encodeTableLabel(label);
  return changes.map((change) => coded({ table: encodeTable, column, tableLabel, columnLabel: column }, change));
}

/** Encodes a plan for `plan.json`. */
export function encodePlan(plan: MigrationPlan): RecordedPlan {
  return { ...plan, changes: encodeChanges(plan.changes) };
}
