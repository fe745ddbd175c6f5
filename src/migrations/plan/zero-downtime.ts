/**
 * Splits a migration into two parts (expand and contract), between which servers of the previous and the new version work side by
 * side. The first part removes nothing that the previous version needs; the second part is the remaining difference.
 */
import { COLUMN_NAMES } from '#contract/column-names.ts';
import type { Change, SyncedColumns } from '#contract/migrations/change.ts';
import type { MigrationPlan } from '#contract/migrations/plan.ts';
import type { Diagnostic, Result } from '../../diagnostics/diagnostic.ts';
import type { Column, Table } from '../../storage/storage-model.ts';
import { diffStorage } from '../diff/diff.ts';
import { causeOf } from '../diff/diff-context.ts';
import { expandChange } from './expand-change.ts';
import { applyChanges, foldHistory } from '../history/fold.ts';
import { changesItems, requiredFills } from '../history/items-edit.ts';
import { nextNumber, numbered } from '../history/names.ts';
import type { SchemaNotes } from './plan-migration.ts';
import { add, hasColumn, isSynced, type Of, type Refusal, type Split, tableOf } from './split.ts';

type NumberLists = Of<'numberLists'>;

function leavingColumns({ changes }: MigrationPlan): ReadonlyMap<string, ReadonlySet<string>> {
  const leaving = new Map<string, Set<string>>();
  for (const change of changes) {
    if (change.kind !== 'renameColumn' && change.kind !== 'dropColumn') continue;
    const name = change.kind === 'renameColumn' ? change.from : change.column.name;
    leaving.set(change.table, (leaving.get(change.table) ?? new Set()).add(name));
  }
  return leaving;
}

function causeIn(split: Split, name: string): string {
  const table = tableOf(split, name);
  return table ? causeOf(table) : name;
}

function stepsOf(split: Split): readonly { readonly columns: SyncedColumns; readonly fills: readonly Change[] }[] {
  return [...split.synced].map(([table, pairs]) => ({
    columns: {
      table,
      primaryKey: tableOf(split, table)?.primaryKey ?? [],
      columns: pairs.map(({ from, to }) => ({ from: from.name, to: to.name })),
    },
    fills: pairs.map(({ from, to }) => ({ kind: 'fillEmpty', table, column: to, from, cause: causeIn(split, table) })),
  }));
}

/** The columns of the lists that a position column orders. */
function listOf({ columns }: Table, position: Column): Pick<NumberLists, 'key' | 'entry'> | undefined {
  if (position.role === 'inversePosition') return { key: COLUMN_NAMES.target, entry: COLUMN_NAMES.owner };
  const key = columns.find(({ role, attribute }) => role === 'foreignKey' && attribute === position.attribute);
  return key && { key: key.name, entry: COLUMN_NAMES.id };
}

/** Servers of the previous version add entries to lists that get an order without giving them a position. */
function numberLists(split: Split): readonly Change[] {
  return split.plan.changes.flatMap((change): readonly Change[] => {
    if (change.kind !== 'addColumn' || change.column.type !== 'position') return [];
    const { table, column, cause } = change;
    const after = tableOf(split, table);
    const list = after && listOf(after, column);
    if (!list || !(isSynced(split, table, list.key) || hasColumn(split.before, table, list.key))) return [];
    const about = cause === undefined ? {} : { cause };
    return [{ kind: 'numberLists', table, key: list.key, position: column.name, entry: list.entry, ...about }];
  });
}

/** Servers of the previous version write components without a value for attributes that are required now. */
function fillItems({ plan }: Split): readonly Change[] {
  return plan.changes.flatMap((change): readonly Change[] => {
    if (change.kind !== 'editItems') return [];
    const edit = requiredFills(change.edit);
    return changesItems(edit) ? [{ ...change, edit }] : [];
  });
}

/** The changes of the contract part, which remove what only the previous version needs. */
function contractOf(split: Split): readonly Change[] {
  const apart = stepsOf(split).flatMap(({ columns, fills }): readonly Change[] => [
    ...fills,
    { kind: 'dropSyncTriggers', ...columns, cause: causeIn(split, columns.table) },
  ]);
  const rest = diffStorage(split.state, split.state, split.target, []).changes();
  return [...apart, ...rest, ...numberLists(split), ...fillItems(split)];
}

function problem({ thing, reason, hint }: Refusal, { places }: SchemaNotes): Diagnostic {
  const location = places.get(thing);
  return {
    code: 'migrations/not-splittable',
    severity: 'error',
    kind: 'refused',
    message: `'${thing}' can't change without downtime: ${reason}`,
    ...(location ? { location } : {}),
    hint,
  };
}

/**
 * Returns the two parts of a plan, which lead to the same state as the plan; only the first part if nothing remains. Reports an error
 * for each part of the schema whose change can't be split. Servers recognize the parts by the suffixes of their names.
 */
export function splitMigration(
  plan: MigrationPlan,
  history: readonly MigrationPlan[],
  notes: SchemaNotes,
): Result<readonly MigrationPlan[]> {
  const before = foldHistory(history);
  const target = applyChanges(before, plan.changes);
  const split: Split = {
    plan,
    before,
    target,
    state: before,
    changes: [],
    leaving: leavingColumns(plan),
    synced: new Map(),
    fills: [],
    refusals: [],
  };
  for (const change of plan.changes) expandChange(split, change);
  if (split.refusals.length > 0) {
    return { value: undefined, diagnostics: split.refusals.map((refusal) => problem(refusal, notes)) };
  }
  for (const { columns, fills } of stepsOf(split)) {
    add(split, { kind: 'createSyncTriggers', ...columns, cause: causeIn(split, columns.table) }, ...fills);
  }
  add(split, ...split.fills);
  const contract = contractOf(split);
  const expand: MigrationPlan = { ...plan, name: `${plan.name}__expand`, part: 'expand', changes: split.changes };
  if (contract.length === 0) return { value: [expand], diagnostics: [] };
  const reached = applyChanges(split.state, contract);
  const left = diffStorage(reached, reached, target, []).changes();
  if (left.length > 0) throw new Error(`the two parts would not lead to the schema: ${JSON.stringify(left[0])}`);
  const { name, sources } = plan;
  const summary = name.replace(/^\d+_/u, '');
  const rest: MigrationPlan = {
    format: 3,
    name: `${numbered(nextNumber([name]), summary)}__contract`,
    ...(sources ? { sources } : {}),
    part: 'contract',
    changes: contract,
  };
  return { value: [expand, rest], diagnostics: [] };
}
