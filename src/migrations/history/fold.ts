/** Computes the state after a list of migrations, which each build compares the schema with. */
import type { Change, ColumnLabel, TableLabel } from '#contract/migrations/change.ts';
import type { MigrationPlan } from '#contract/migrations/plan.ts';
import { changedParts, renameStoredTable, withColumn } from '#contract/stored-table.ts';
import type { Column, ColumnRole, ComponentShape, StorageModel, Table } from '../../storage/storage-model.ts';
import { roleOfAttribute } from '#contract/migrations/planned-table.ts';

/** A state while changes are made to it. */
interface State {
  readonly tables: Map<string, Table>;
  readonly components: Map<string, ComponentShape>;
  locales: readonly string[];
}

type TableChange = Extract<
  Change,
  {
    kind:
      | 'relabelTable'
      | 'addColumn'
      | 'dropColumn'
      | 'renameColumn'
      | 'relabelColumn'
      | 'alterColumn'
      | 'createIndex'
      | 'dropIndex'
      | 'renameIndex'
      | 'renameForeignKey';
  }
>;

/** A column that loses its attribute, or gets one, changes its role. */
function roleAs({ role, type, attribute }: Column, label: ColumnLabel): ColumnRole {
  if ((attribute === undefined) === (label.attribute === undefined)) return role;
  return label.attribute === undefined ? 'other' : roleOfAttribute(type);
}

/** A column with another label. Members that the new label lacks are removed. */
function labeled(column: Column, label: ColumnLabel): Column {
  const {
    attribute: _,
    targetType: _t,
    inverse: _i,
    shared: _s,
    entries: _e,
    holds: _h,
    required: _r,
    values: _v,
    exchanged: _x,
    ...rest
  } = column;
  return { ...rest, role: roleAs(column, label), ...label };
}

function labeledTable(table: Table, label: TableLabel): Table {
  if (table.kind !== 'link') return { ...table, ...label };
  const { inverse: _inverse, ...rest } = table;
  return { ...rest, ...label };
}

function changed(table: Table, change: TableChange): Table {
  switch (change.kind) {
    case 'relabelTable':
      return labeledTable(table, change.to);
    case 'relabelColumn':
      return { ...table, ...withColumn(table, change.column, (column) => labeled(column, change.to)) };
    default:
      return { ...table, ...changedParts(table, change) };
  }
}

function existing({ tables }: State, name: string): Table {
  const table = tables.get(name);
  if (!table) throw new Error(`a migration changes the table ${name}, which does not exist at that point`);
  return table;
}

function apply(state: State, change: Change): void {
  switch (change.kind) {
    case 'createTable':
      if (state.tables.has(change.table.name)) {
        throw new Error(`a migration creates the table ${change.table.name}, which already exists`);
      }
      state.tables.set(change.table.name, change.table);
      return;
    case 'dropTable':
      state.tables.delete(existing(state, change.table.name).name);
      return;
    case 'renameTable':
      renameStoredTable(state.tables, existing(state, change.from).name, change.to);
      return;
    case 'defineComponent':
      if (change.from) state.components.delete(change.from.uid);
      if (change.to) state.components.set(change.to.uid, change.to);
      return;
    case 'setLocales':
      state.locales = change.to;
      return;
    case 'fillEmpty':
    case 'checkValues':
    case 'checkItems':
    case 'checkRequired':
    case 'mapValues':
    case 'createSyncTriggers':
    case 'dropSyncTriggers':
    case 'shareValues':
    case 'shareItemLinks':
    case 'numberLists':
    case 'nameEntries':
    case 'claimValues':
    case 'copyRows':
    case 'copyColumn':
    case 'copyRelation':
    case 'deleteRows':
    case 'editItems':
    case 'renameItemLinks':
    case 'renameRecords':
    case 'renameType':
      return;
    default:
      state.tables.set(change.table, changed(existing(state, change.table), change));
  }
}

/** Applies changes to a state. Throws if a change names a table or column that doesn't exist. */
export function applyChanges(before: StorageModel, changes: readonly Change[]): StorageModel {
  const state: State = {
    tables: new Map(before.tables.map((table) => [table.name, table])),
    components: new Map(before.components?.map((shape) => [shape.uid, shape])),
    locales: before.locales ?? [],
  };
  for (const change of changes) apply(state, change);
  return {
    tables: [...state.tables.values()],
    ...(state.components.size > 0 ? { components: [...state.components.values()] } : {}),
    ...(state.locales.length > 0 ? { locales: state.locales } : {}),
  };
}

/** Folds all changes over the empty model. Throws if a change names a table or column that doesn't exist. */
export function foldHistory(plans: readonly MigrationPlan[]): StorageModel {
  return applyChanges(
    { tables: [] },
    plans.flatMap((plan) => plan.changes),
  );
}
