/** Plans the next migration: what the schema needs and the history does not have yet. */
import type { Diagnostic, Result } from '../diagnostics/diagnostic.ts';
import type { StorageModel } from '../storage/storage-model.ts';
import type { Change, MigrationPlan } from './change.ts';
import { diffStorage } from './diff.ts';
import { foldHistory } from './fold.ts';
import { migrationName } from './names.ts';

const START_OVER =
  'This release only adds to a database. To start over without its data, build into a new folder (--out) and use a new ' +
  'database.';

function refusal(code: string, message: string, hint: string): Diagnostic {
  return { code: `migrations/${code}`, severity: 'error', kind: 'refused', message, hint };
}

/** What a table is for, in words of the schema, by table name. */
function origins(...models: readonly StorageModel[]): ReadonlyMap<string, string> {
  return new Map(models.flatMap(({ tables }) => tables.map(({ name, origin }) => [name, origin] as const)));
}

function droppedTable(table: string, origin: string): Diagnostic {
  return refusal(
    'drops-table',
    `'${origin}' is no longer stored in the table '${table}': dropping that would delete what it holds`,
    `Put '${origin}' back into the schema as it was. ${START_OVER}`,
  );
}

function droppedColumn(table: string, column: string, origin: string): Diagnostic {
  return refusal(
    'drops-column',
    `'${origin}' no longer has the column '${column}' of its table '${table}': dropping that would delete its values`,
    `Put the attribute back into '${origin}' as it was. ${START_OVER}`,
  );
}

function alteredColumn(table: string, column: string, origin: string): Diagnostic {
  return refusal(
    'alters-column',
    `the column '${column}' of the table '${table}' of '${origin}' would change its type, its target or whether it may be empty`,
    `Put the attribute back to what it was, or give the new one another name. ${START_OVER}`,
  );
}

function lackingValue(table: string, column: string, origin: string): Diagnostic {
  return refusal(
    'lacks-value',
    `'${origin}' gets the column '${column}', which may not be empty: entries in the table '${table}' would have no value for it`,
    'Give the attribute a default that is not unique, or leave out its `required: true`.',
  );
}

function refusalOf(
  change: Change,
  changes: readonly Change[],
  named: ReadonlyMap<string, string>,
): Diagnostic | undefined {
  const origin = (table: string): string => named.get(table) ?? table;
  const isAltered = (table: string, column: string): boolean =>
    changes.some((other) => other.kind === 'addColumn' && other.table === table && other.column.name === column);
  switch (change.kind) {
    case 'dropTable':
      return droppedTable(change.table.name, origin(change.table.name));
    case 'dropColumn': {
      const refuse = isAltered(change.table, change.column.name) ? alteredColumn : droppedColumn;
      return refuse(change.table, change.column.name, origin(change.table));
    }
    case 'addColumn': {
      const { nullable, default: given, name } = change.column;
      const dropped = changes.some(
        (other) => other.kind === 'dropColumn' && other.table === change.table && other.column.name === name,
      );
      return nullable || given !== undefined || dropped
        ? undefined
        : lackingValue(change.table, name, origin(change.table));
    }
    case 'createTable':
    case 'createIndex':
    case 'dropIndex':
      return undefined;
  }
}

/**
 * The migration from the state that `history` leaves to `target`; null when there is nothing to do. Refused is whatever
 * would delete data or fail on a table that has rows: dropped tables and columns, columns of another type, and new ones
 * that may not be empty and have no default.
 */
export function planMigration(input: {
  readonly history: readonly MigrationPlan[];
  readonly target: StorageModel;
}): Result<MigrationPlan | null> {
  const before = foldHistory(input.history);
  const changes = diffStorage(before, input.target);
  const named = origins(before, input.target);
  const diagnostics = changes.flatMap((change) => refusalOf(change, changes, named) ?? []);
  if (diagnostics.length > 0) return { value: undefined, diagnostics };
  if (changes.length === 0) return { value: null, diagnostics };
  return { value: { format: 1, name: migrationName(input.history, changes), changes }, diagnostics };
}
