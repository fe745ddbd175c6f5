/**
 * Triggers with which SQLite refuses rows without a required relation: it can't add NOT NULL to a column with a foreign key, neither to
 * a new one nor to an existing one.
 */
import { isRequiredKey } from '#contract/migrations/planned-table.ts';
import { REQUIRED_EVENTS, requiredTriggerName } from '#contract/stored-names.ts';
import type { Column, ForeignKey } from '../../storage/storage-model.ts';
import { sqlLiteral, sqlName } from './text/sql-text.ts';

/** They fail with the message of NOT NULL. */
export function createRequiredTriggers(table: string, { name, column }: ForeignKey): readonly string[] {
  const refusal = sqlLiteral(`NOT NULL constraint failed: ${table}.${column}`);
  return REQUIRED_EVENTS.map((event) => {
    const of = event === 'update' ? `UPDATE OF ${sqlName(column)}` : 'INSERT';
    return `CREATE TRIGGER ${sqlName(requiredTriggerName(name, event))}\n  BEFORE ${of} ON ${sqlName(table)}\n  WHEN NEW.${sqlName(column)} IS NULL\nBEGIN\n  SELECT RAISE(ABORT, ${refusal});\nEND;`;
  });
}

export function dropRequiredTriggers(foreignKey: string): readonly string[] {
  return REQUIRED_EVENTS.map((event) => `DROP TRIGGER ${sqlName(requiredTriggerName(foreignKey, event))};`);
}

/** The triggers of a column, if it needs any. */
export function sqliteRequire(table: string, column: Column, key: ForeignKey | undefined): readonly string[] {
  return key && isRequiredKey(column) ? createRequiredTriggers(table, key) : [];
}

/** Removes the triggers of a column, if it has any: before it changes. */
export function sqliteUnrequire(column: Column, key: ForeignKey | undefined): readonly string[] {
  return key && isRequiredKey(column) ? dropRequiredTriggers(key.name) : [];
}
