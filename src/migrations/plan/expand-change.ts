/** The expand part of a migration, change by change. */
import type { Change } from '#contract/migrations/change.ts';
import { isComputed } from '#contract/stored-table.ts';
import { isOnlyFills } from '../history/items-edit.ts';
import { addColumn, alterColumn, createIndex, dropColumn, renameColumn } from './expand-columns.ts';
import { add, fill, isSynced, type Of, refuse, type Split, tableOf } from './split.ts';

/** Whether an index, by its old name, has a column that the migration removes: the index is dropped with it. */
function isLeaving(split: Split, table: string, name: string): boolean {
  const index = tableOf(split, table)?.indexes.find((one) => one.name === name);
  return index?.columns.some((column) => split.leaving.get(table)?.has(column)) ?? false;
}

/**
 * Whether queries of the previous version name an index: those for words, and on MySQL those for values inside components. It is kept
 * for them, unless the new version has one with the same name.
 */
function isNamedInQueries({ plan }: Split, { index }: Of<'dropIndex'>): boolean {
  const isAgain = plan.changes.some((other) => other.kind === 'createIndex' && other.index.name === index.name);
  return isComputed(index) && !isAgain;
}

const BY_ITSELF =
  'Make this change in a separate build without --zero-downtime, and apply it while no server is running.';

function refuseItems(split: Split, change: Change): void {
  const reason = 'components are stored as JSON, which cannot have the old and the new shape at once';
  refuse(split, change, reason, BY_ITSELF);
}

/** Adds the expand part of a change to the split, or the reason why the change can't be split. */
export function expandChange(split: Split, change: Change): void {
  switch (change.kind) {
    case 'createTable':
    case 'relabelTable':
    case 'relabelColumn':
    case 'setLocales':
    case 'createSyncTriggers':
    case 'dropSyncTriggers':
    case 'numberLists':
    case 'checkRequired':
      return add(split, change);
    case 'fillEmpty':
      return fill(split, change);
    case 'defineComponent':
      // The old definition is still needed for deleting its items.
      return change.to ? add(split, change) : undefined;
    case 'dropTable': {
      const next = split.plan.changes.some(
        (other) => other.kind === 'createTable' && other.table.name === change.table.name,
      );
      if (!next) return;
      return refuse(
        split,
        change,
        `a new table would have the name of the old one, "${change.table.name}"`,
        'Set another `tableName`.',
      );
    }
    case 'dropColumn':
      return dropColumn(split, change);
    case 'addColumn':
      return addColumn(split, change);
    case 'renameColumn':
      return renameColumn(split, change);
    case 'alterColumn':
      return alterColumn(split, change);
    case 'createIndex':
      return createIndex(split, change);
    case 'dropIndex':
      if (isLeaving(split, change.table, change.index.name) || isNamedInQueries(split, change)) return;
      return add(split, change);
    case 'renameIndex': {
      if (!isLeaving(split, change.table, change.from)) return add(split, change);
      const { from: _, ...index } = change;
      return add(split, { ...index, kind: 'createIndex' });
    }
    case 'renameForeignKey': {
      return isSynced(split, change.table, change.foreignKey.column) ? undefined : add(split, change);
    }
    case 'renameTable':
      return refuse(
        split,
        change,
        `the table "${change.from}" would need two names`,
        'For a type, keep the name of the table with `tableName`. For a relation or a list of files, add one with the new name, and remove the old one in a later build.',
      );
    case 'renameType':
      return refuse(split, change, 'permissions and URLs contain the name of the type', BY_ITSELF);
    case 'renameRecords':
      // The renames themselves are refused.
      return;
    case 'nameEntries':
    case 'claimValues':
      return refuse(
        split,
        change,
        'servers of the previous version do not know that entries share it, and would write values that break it',
        BY_ITSELF,
      );
    case 'copyRows':
    case 'copyColumn':
      return refuse(
        split,
        change,
        'servers of the previous version do not know that published versions are beside drafts, and would not write them',
        BY_ITSELF,
      );
    case 'copyRelation':
      return refuse(
        split,
        change,
        'its links would be stored where servers of the previous version do not find them',
        BY_ITSELF,
      );
    case 'shareValues':
    case 'shareItemLinks':
      return refuse(split, change, 'servers of the previous version still write each locale by itself', BY_ITSELF);
    case 'checkValues':
    case 'checkItems':
    case 'mapValues':
      return refuse(split, change, 'servers of the previous version may still write the former values', BY_ITSELF);
    case 'deleteRows':
      if (change.rows.of === 'goneItems') return;
      return refuse(
        split,
        change,
        `rows of "${change.table}" would be deleted, which servers of the previous version still read`,
        BY_ITSELF,
      );
    case 'editItems':
      if (isOnlyFills(change.edit)) return add(split, change);
      return refuseItems(split, change);
    case 'renameItemLinks':
      return refuseItems(split, change);
  }
}
