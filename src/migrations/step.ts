/** Changes as an engine makes them. */
import type { ForeignKey, Table } from '../storage/storage-model.ts';
import type { Change } from './change.ts';

export type Step = Change | { readonly kind: 'addForeignKey'; readonly table: string; readonly foreignKey: ForeignKey };

/** One step in SQL: statements that make it, and those that undo it, in the order in which they run. */
export interface StepSql {
  /** What it is about, for the comment above it. */
  readonly about: string;
  readonly up: readonly string[];
  readonly down: readonly string[];
}

/** A table whose references to tables that are created after it have become steps of their own. */
function withoutLaterReferences(table: Table, later: ReadonlySet<string>): readonly [Table, readonly Step[]] {
  const isLater = (key: ForeignKey): boolean => key.references !== table.name && later.has(key.references);
  const postponed = table.foreignKeys.filter(isLater);
  return [
    { ...table, foreignKeys: table.foreignKeys.filter((key) => !isLater(key)) },
    postponed.map((foreignKey) => ({ kind: 'addForeignKey', table: table.name, foreignKey })),
  ];
}

/**
 * For engines that check a reference when it is declared: those to tables that come later, and those of columns that are
 * added (whose index comes later), are added at the end.
 */
export function postponeForeignKeys(changes: readonly Change[]): readonly Step[] {
  const later = new Set(changes.flatMap((change) => (change.kind === 'createTable' ? [change.table.name] : [])));
  const steps: Step[] = [];
  const postponed: Step[] = [];
  for (const change of changes) {
    if (change.kind === 'createTable') {
      later.delete(change.table.name);
      const [table, references] = withoutLaterReferences(change.table, later);
      steps.push({ ...change, table });
      postponed.push(...references);
    } else if (change.kind === 'addColumn' && change.foreignKey) {
      const { foreignKey, ...column } = change;
      steps.push(column);
      postponed.push({ kind: 'addForeignKey', table: change.table, foreignKey });
    } else {
      steps.push(change);
    }
  }
  return [...steps, ...postponed];
}
