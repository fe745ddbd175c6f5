/** The state after a list of migrations: what each build compares the schema with. */
import type { StorageModel, Table } from '../storage/storage-model.ts';
import type { Change, MigrationPlan } from './change.ts';

function tableOf(tables: ReadonlyMap<string, Table>, name: string): Table {
  const table = tables.get(name);
  if (!table) throw new Error(`a migration changes the table ${name}, which does not exist before it`);
  return table;
}

function changed(
  tables: ReadonlyMap<string, Table>,
  change: Exclude<Change, { kind: 'createTable' | 'dropTable' }>,
): Table {
  const table = tableOf(tables, change.table);
  switch (change.kind) {
    case 'addColumn':
      return {
        ...table,
        columns: [...table.columns, change.column],
        foreignKeys: change.foreignKey ? [...table.foreignKeys, change.foreignKey] : table.foreignKeys,
      };
    case 'dropColumn':
      return {
        ...table,
        columns: table.columns.filter(({ name }) => name !== change.column.name),
        foreignKeys: table.foreignKeys.filter(({ column }) => column !== change.column.name),
      };
    case 'createIndex':
      return { ...table, indexes: [...table.indexes, change.index] };
    case 'dropIndex':
      return { ...table, indexes: table.indexes.filter(({ name }) => name !== change.index.name) };
  }
}

function apply(tables: Map<string, Table>, change: Change): void {
  switch (change.kind) {
    case 'createTable':
      tables.set(change.table.name, change.table);
      return;
    case 'dropTable':
      tables.delete(change.table.name);
      return;
    case 'addColumn':
    case 'dropColumn':
    case 'createIndex':
    case 'dropIndex':
      tables.set(change.table, changed(tables, change));
  }
}

/** The fold of all changes from the empty model. Throws where a change names a table that is not there. */
export function foldHistory(plans: readonly MigrationPlan[]): StorageModel {
  const tables = new Map<string, Table>();
  for (const change of plans.flatMap((plan) => plan.changes)) apply(tables, change);
  return { tables: [...tables.values()] };
}
