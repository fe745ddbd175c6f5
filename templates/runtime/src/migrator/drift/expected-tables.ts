/** The tables that migrations have made, according to their `plan.json`. */
import type { MigrationFiles } from '../../contract/migration-sum.ts';
import { syncTriggerName } from '../../contract/stored-names.ts';
import {
  changedParts,
  renameStoredTable,
  type StoredTable,
  type StoredTableChange,
} from '../../contract/stored-table.ts';
import { textHash } from '../sum.ts';

/** A table after the migrations. */
export interface ExpectedTable extends StoredTable {
  /** The base name of the triggers that keep two columns in sync; undefined if there are none. */
  readonly inStep: string | undefined;
}

/** The changes of a plan that affect the database; other kinds are ignored. */
type Change =
  | { readonly kind: 'createTable' | 'dropTable'; readonly table: StoredTable }
  | { readonly kind: 'renameTable'; readonly from: string; readonly to: string }
  | { readonly kind: 'keepInStep' | 'letApart'; readonly table: string }
  | (StoredTableChange & { readonly table: string });

type Tables = Map<string, ExpectedTable>;

function changeTable(tables: Tables, name: string, change: (table: ExpectedTable) => Partial<ExpectedTable>): void {
  const table = tables.get(name);
  if (!table) throw new Error(`a migration changes the table ${name}, which does not exist before it`);
  tables.set(name, { ...table, ...change(table) });
}

function apply(tables: Tables, change: Change): void {
  switch (change.kind) {
    case 'createTable':
      tables.set(change.table.name, { ...change.table, inStep: undefined });
      return;
    case 'dropTable':
      tables.delete(change.table.name);
      return;
    case 'renameTable':
      renameStoredTable(tables, change.from, change.to);
      return;
    case 'keepInStep':
      changeTable(tables, change.table, () => ({ inStep: syncTriggerName(change.table, textHash) }));
      return;
    case 'letApart':
      changeTable(tables, change.table, () => ({ inStep: undefined }));
      return;
    case 'addColumn':
    case 'dropColumn':
    case 'renameColumn':
    case 'alterColumn':
    case 'createIndex':
    case 'dropIndex':
    case 'renameIndex':
    case 'renameForeignKey':
      changeTable(tables, change.table, (table) => changedParts(table, change));
      return;
    default:
  }
}

/** The changes of a migration; empty for a hand-written one. */
function changesOf({ name, files }: MigrationFiles): readonly Change[] {
  const plan = JSON.parse(files.get('plan.json') ?? '{}') as { readonly changes?: readonly Change[] };
  if (!plan.changes) throw new Error(`the migration ${name} has no plan.json with changes`);
  return plan.changes;
}

/** The tables after the migrations, by name. Throws if the migrations are inconsistent. */
export function expectedTables(migrations: readonly MigrationFiles[]): ReadonlyMap<string, ExpectedTable> {
  const tables: Tables = new Map();
  for (const migration of migrations) for (const change of changesOf(migration)) apply(tables, change);
  return tables;
}
