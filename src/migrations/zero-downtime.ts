/**
 * A migration in two parts, between which servers of the version before and of the new one work side by side. What only the
 * version before needs is left out of the first part: the second one is all that is still to be done then.
 */
import type { Diagnostic, Result } from '../diagnostics/diagnostic.ts';
import type { Column, Index, StorageModel, Table } from '../storage/storage-model.ts';
import type { Change, ColumnsInStep, MigrationPlan } from './change.ts';
import { diffStorage } from './diff.ts';
import { causeOf } from './diff-context.ts';
import { applyChanges, foldHistory } from './fold.ts';
import { nextNumber, numbered } from './names.ts';
import type { SchemaNotes } from './plan-migration.ts';
import { isTypeTable } from './relabel.ts';

type Of<Kind extends Change['kind']> = Extract<Change, { kind: Kind }>;

/** A change that has no two parts. */
interface Refusal {
  /** What of the schema it follows from. */
  readonly thing: string;
  readonly reason: string;
  readonly hint: string;
}

interface Split {
  readonly plan: MigrationPlan;
  readonly before: StorageModel;
  readonly target: StorageModel;
  /** The database after what was expanded so far. */
  state: StorageModel;
  readonly changes: Change[];
  /** Columns that are gone at the end, by table. */
  readonly leaving: ReadonlyMap<string, ReadonlySet<string>>;
  /** Columns with two names, by table. */
  readonly inStep: Map<string, { readonly from: Column; readonly to: Column }[]>;
  readonly refusals: Refusal[];
}

function leavingColumns({ changes }: MigrationPlan): ReadonlyMap<string, ReadonlySet<string>> {
  const leaving = new Map<string, Set<string>>();
  for (const change of changes) {
    if (change.kind !== 'renameColumn' && change.kind !== 'dropColumn') continue;
    const name = change.kind === 'renameColumn' ? change.from : change.column.name;
    leaving.set(change.table, (leaving.get(change.table) ?? new Set()).add(name));
  }
  return leaving;
}

function add(split: Split, ...changes: readonly Change[]): void {
  split.changes.push(...changes);
  split.state = applyChanges(split.state, changes);
}

/** What comes after it is looked at as if it was done. */
function refuse(split: Split, change: Change, reason: string, hint: string): void {
  const { cause = '' } = change;
  split.state = applyChanges(split.state, [change]);
  if (split.refusals.some(({ thing }) => thing === cause)) return;
  split.refusals.push({ thing: cause, reason, hint });
}

function tableOf({ state }: Split, name: string): Table | undefined {
  return state.tables.find((table) => table.name === name);
}

function hasColumn({ tables }: StorageModel, table: string, column: string): boolean {
  return tables.some(({ name, columns }) => name === table && columns.some((one) => one.name === column));
}

function columnOf(split: Split, table: string, name: string): Column | undefined {
  return tableOf(split, table)?.columns.find((column) => column.name === name);
}

function indexesOf(split: Split, table: string, column: string): readonly Index[] {
  return tableOf(split, table)?.indexes.filter(({ columns }) => columns.includes(column)) ?? [];
}

/** Whether an index, by its name before, is of a column that leaves: it goes with that. */
function isLeaving(split: Split, table: string, name: string): boolean {
  const index = tableOf(split, table)?.indexes.find((one) => one.name === name);
  return index?.columns.some((column) => split.leaving.get(table)?.has(column)) ?? false;
}

/** Lets rows be without a value in a column. */
function relax(split: Split, table: string, from: Column, cause: string | undefined): void {
  if (from.nullable && from.default === undefined) return;
  const { default: _, ...column } = from;
  const to = { ...column, nullable: true };
  const indexes = indexesOf(split, table, from.name);
  add(split, { kind: 'alterColumn', table, from, to, indexes, ...(cause === undefined ? {} : { cause }) });
}

/** The server's own columns of drafts and locales, which say what a row is. */
function isOfEntries(split: Split, table: string, { name, origin }: Column): boolean {
  const owner = tableOf(split, table);
  const names = ['document_id', 'locale', 'published_at'];
  return owner !== undefined && isTypeTable(owner) && origin === undefined && names.includes(name);
}

const SETTINGS_HINT = 'Turn it on or off by itself, in a build without --zero-downtime, while no other version runs.';

function dropColumn(split: Split, change: Of<'dropColumn'>): void {
  const { table, column, cause } = change;
  const next = split.plan.changes.find(
    (other) => other.kind === 'addColumn' && other.table === table && other.column.name === column.name,
  );
  if (next) {
    const hint =
      'Give the attribute of the new type a name of its own; the old one can be dropped in the same build, and the new one renamed in a later one.';
    return refuse(split, change, `the column "${table}"."${column.name}" gets other values under the same name`, hint);
  }
  if (isOfEntries(split, table, column)) {
    return refuse(split, change, 'drafts or locales are turned off, which both versions would read', SETTINGS_HINT);
  }
  relax(split, table, column, cause);
}

function addColumn(split: Split, change: Of<'addColumn'>): void {
  const { table, column } = change;
  if (isOfEntries(split, table, column)) {
    return refuse(split, change, 'drafts or locales are turned on, which both versions would write', SETTINGS_HINT);
  }
  const isGiven = column.nullable || column.default !== undefined;
  add(split, isGiven ? change : { ...change, column: { ...column, nullable: true } });
}

/** Both names are there for a while. */
function renameColumn(split: Split, change: Of<'renameColumn'>): void {
  const { table, from, to, cause } = change;
  const because = cause === undefined ? {} : { cause };
  // Out of a spare name, which one of a circle has for a while: the circle was refused when it was taken.
  if (!hasColumn(split.before, table, from)) {
    split.state = applyChanges(split.state, [change]);
    return;
  }
  const name = hasColumn(split.target, table, to) ? to : from;
  if (name === from || columnOf(split, table, to)) {
    const hint = 'Rename one after the other: a build with --zero-downtime for each, over a name that is free.';
    return refuse(split, change, `the name "${name}" is that of another column of "${table}", too`, hint);
  }
  const before = columnOf(split, table, from);
  if (!before) throw new Error(`a migration renames ${table}.${from}, which does not exist`);
  relax(split, table, before, cause);
  const { default: _, ...rest } = before;
  const [old, column] = [
    { ...rest, nullable: true },
    { ...rest, nullable: true, name: to },
  ];
  const { origin, inverse, holds } = before;
  const label = {
    ...(origin === undefined ? {} : { origin }),
    ...(inverse === undefined ? {} : { inverse }),
    ...(holds === undefined ? {} : { holds }),
  };
  const key = split.plan.changes.findLast(
    (other): other is Of<'renameForeignKey'> =>
      other.kind === 'renameForeignKey' && other.table === table && other.foreignKey.column === to,
  );
  add(
    split,
    { kind: 'addColumn', table, column, ...(key ? { foreignKey: key.foreignKey } : {}), ...because },
    { kind: 'describeColumn', table, column: from, from: label, to: {}, ...because },
  );
  split.inStep.set(table, [...(split.inStep.get(table) ?? []), { from: old, to: column }]);
}

function alterColumn(split: Split, change: Of<'alterColumn'>): void {
  const { table, to, cause } = change;
  const now = columnOf(split, table, to.name);
  if (!now) throw new Error(`a migration changes ${table}.${to.name}, which does not exist`);
  const isRenamed = split.inStep.get(table)?.some((pair) => pair.to.name === to.name) ?? false;
  const isLonger = change.from.type === 'string' && to.type === 'text' && !isRenamed;
  // The version before goes on with longer values: they are found when it is gone.
  const isShorter = change.from.type === 'text' && to.type === 'string';
  if (change.from.type !== to.type && !isLonger && !isShorter) {
    const hint =
      'Add an attribute of the new type under another name, and fill it by a migration of your own (content-gen migrations new); drop the old one in a later build.';
    return refuse(split, change, `it changes from ${change.from.type} to ${to.type}, and has one column`, hint);
  }
  const because = cause === undefined ? {} : { cause };
  const type = isShorter ? now.type : to.type;
  const both: Column = { ...to, type, nullable: now.nullable || to.nullable };
  if (now.type !== both.type || now.nullable !== both.nullable || (!isRenamed && now.default !== both.default)) {
    add(split, {
      kind: 'alterColumn',
      table,
      from: now,
      to: both,
      indexes: indexesOf(split, table, to.name),
      ...because,
    });
  }
  if (now.nullable && !to.nullable && to.default !== undefined) {
    add(split, { kind: 'fillEmpty', table, column: both, ...because });
  }
}

function createIndex(split: Split, change: Of<'createIndex'>): void {
  const { table, index } = change;
  const renamed = split.inStep.get(table)?.map(({ to }) => to.name) ?? [];
  const isKnown = index.columns.every((name) => renamed.includes(name) || hasColumn(split.before, table, name));
  // What both versions write may be there twice until the version before is gone.
  if (index.unique && isKnown) return;
  add(split, change);
}

const BY_ITSELF = 'Make this change in a build of its own without --zero-downtime, and apply it while no server runs.';

function expandChange(split: Split, change: Change): void {
  switch (change.kind) {
    case 'createTable':
    case 'describeTable':
    case 'describeColumn':
    case 'setLocales':
    case 'fillEmpty':
    case 'keepInStep':
    case 'letApart':
      return add(split, change);
    case 'defineComponent':
      // What it looked like is still needed where its items go.
      return change.to ? add(split, change) : undefined;
    case 'dropTable': {
      const next = split.plan.changes.some(
        (other) => other.kind === 'createTable' && other.table.name === change.table.name,
      );
      if (!next) return;
      return refuse(
        split,
        change,
        `another table gets the name "${change.table.name}"`,
        'Give it another `tableName`.',
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
      return isLeaving(split, change.table, change.index.name) ? undefined : add(split, change);
    case 'renameIndex': {
      if (!isLeaving(split, change.table, change.from)) return add(split, change);
      const { from: _, ...index } = change;
      return add(split, { ...index, kind: 'createIndex' });
    }
    case 'renameForeignKey': {
      const isNew = split.inStep.get(change.table)?.some(({ to }) => to.name === change.foreignKey.column);
      return isNew ? undefined : add(split, change);
    }
    case 'renameTable':
      return refuse(
        split,
        change,
        `the table "${change.from}" would have two names`,
        'A type keeps its table with `tableName`. Of a relation or a list of files: add one under the new name, and drop the old one in a later build.',
      );
    case 'renameType':
      return refuse(split, change, 'permissions and addresses name the type', BY_ITSELF);
    case 'copyRelation':
      return refuse(
        split,
        change,
        'its links move to another place, where the version before does not see them',
        BY_ITSELF,
      );
    case 'deleteRows':
      if (change.rows.of === 'goneItems') return;
      return refuse(split, change, `rows of "${change.table}" go that both versions read`, BY_ITSELF);
    case 'editItems':
    case 'renameItemLinks':
      return refuse(split, change, 'components are stored as one value, which has one shape', BY_ITSELF);
  }
}

function causeIn(split: Split, name: string): string {
  const table = tableOf(split, name);
  return table ? causeOf(table) : name;
}

function stepsOf(split: Split): readonly { readonly columns: ColumnsInStep; readonly fills: readonly Change[] }[] {
  return [...split.inStep].map(([table, pairs]) => ({
    columns: {
      table,
      primaryKey: tableOf(split, table)?.primaryKey ?? [],
      columns: pairs.map(({ from, to }) => ({ from: from.name, to: to.name })),
    },
    fills: pairs.map(({ from, to }) => ({ kind: 'fillEmpty', table, column: to, from, cause: causeIn(split, table) })),
  }));
}

/** What is still to be done, all of which is of the version before. */
function contractOf(split: Split): readonly Change[] {
  const apart = stepsOf(split).flatMap(({ columns, fills }): readonly Change[] => [
    ...fills,
    { kind: 'letApart', ...columns, cause: causeIn(split, columns.table) },
  ]);
  return [...apart, ...diffStorage(split.state, split.state, split.target, []).changes()];
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
 * The two parts of a plan, which lead to the same state; only the first where that is all. An error for each thing of the
 * schema that has no two parts. Servers tell the parts by the ends of their names.
 */
export function splitMigration(
  plan: MigrationPlan,
  history: readonly MigrationPlan[],
  target: StorageModel,
  notes: SchemaNotes,
): Result<readonly MigrationPlan[]> {
  const before = foldHistory(history);
  const split: Split = {
    plan,
    before,
    target,
    state: before,
    changes: [],
    leaving: leavingColumns(plan),
    inStep: new Map(),
    refusals: [],
  };
  for (const change of plan.changes) expandChange(split, change);
  if (split.refusals.length > 0) {
    return { value: undefined, diagnostics: split.refusals.map((refusal) => problem(refusal, notes)) };
  }
  for (const { columns, fills } of stepsOf(split))
    add(split, { kind: 'keepInStep', ...columns, cause: causeIn(split, columns.table) }, ...fills);
  const contract = contractOf(split);
  const expand: MigrationPlan = { ...plan, name: `${plan.name}__expand`, part: 'expand', changes: split.changes };
  if (contract.length === 0) return { value: [expand], diagnostics: [] };
  const reached = applyChanges(split.state, contract);
  const left = diffStorage(reached, reached, target, []).changes();
  if (left.length > 0) throw new Error(`the two parts would not lead to the schema: ${JSON.stringify(left[0])}`);
  const { name, sources } = plan;
  const summary = name.replace(/^\d+_/u, '');
  const rest: MigrationPlan = {
    format: 1,
    name: `${numbered(nextNumber([name]), summary)}__contract`,
    ...(sources ? { sources } : {}),
    part: 'contract',
    changes: contract,
  };
  return { value: [expand, rest], diagnostics: [] };
}
