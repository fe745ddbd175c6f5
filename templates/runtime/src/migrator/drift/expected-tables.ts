/** The tables that migrations have made, according to their `plan.json`. */
import type { Change } from '../../contract/migrations/change.ts';
import type { MigrationFiles } from '../../contract/migration-sum.ts';
import { syncTriggerName } from '../../contract/stored-names.ts';
import type { Column } from '../../contract/migrations/planned-table.ts';
import { changedParts, renameStoredTable, type StoredTable } from '../../contract/stored-table.ts';
import { readPlans } from '../read-migrations.ts';
import { textHash } from '../sum.ts';

/** A table after the migrations. */
export interface ExpectedTable extends StoredTable<Column> {
  /** The base name of the triggers that keep two columns in sync; undefined if there are none. */
  readonly syncTrigger: string | undefined;
}

type Tables = Map<string, ExpectedTable>;

function changeTable(tables: Tables, name: string, change: (table: ExpectedTable) => Partial<ExpectedTable>): void {
  const table = tables.get(name);
  if (!table) throw new Error(`a migration changes the table ${name}, which does not exist before it`);
  tables.set(name, { ...table, ...change(table) });
}

function apply(tables: Tables, change: Change): void {
  switch (change.kind) {
    case 'createTable':
      tables.set(change.table.name, { ...change.table, syncTrigger: undefined });
      return;
    case 'dropTable':
      tables.delete(change.table.name);
      return;
    case 'renameTable':
      renameStoredTable(tables, change.from, change.to);
      return;
    case 'createSyncTriggers':
      changeTable(tables, change.table, () => ({ syncTrigger: syncTriggerName(change.table, textHash) }));
      return;
    case 'dropSyncTriggers':
      changeTable(tables, change.table, () => ({ syncTrigger: undefined }));
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

/** The tables after the migrations, by name. Throws if the migrations are inconsistent. */
export function expectedTables(migrations: readonly MigrationFiles[]): ReadonlyMap<string, ExpectedTable> {
  const tables: Tables = new Map();
  for (const { changes } of readPlans(migrations)) for (const change of changes) apply(tables, change);
  return tables;
}
