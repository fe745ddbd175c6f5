/** The state of splitting a migration into an expand and a contract part. */
import type { Change } from '#contract/migrations/change.ts';
import type { MigrationPlan } from '#contract/migrations/plan.ts';
import type { Column, Index, StorageModel, Table } from '../../storage/storage-model.ts';
import { applyChanges } from '../history/fold.ts';

export type Of<Kind extends Change['kind']> = Extract<Change, { kind: Kind }>;

/** A change that can't be split. */
export interface Refusal {
  /** The part of the schema that the change results from. */
  readonly thing: string;
  readonly reason: string;
  readonly hint: string;
}

export interface Split {
  readonly plan: MigrationPlan;
  readonly before: StorageModel;
  readonly target: StorageModel;
  /** The state after the changes so far. */
  state: StorageModel;
  readonly changes: Change[];
  /** Columns that no longer exist at the end, by table. */
  readonly leaving: ReadonlyMap<string, ReadonlySet<string>>;
  /** Columns that exist under two names, by table. */
  readonly synced: Map<string, { readonly from: Column; readonly to: Column }[]>;
  /** Defaults for missing values of these columns: the new ones must first get the values of the old ones. */
  readonly fills: Of<'fillEmpty'>[];
  readonly refusals: Refusal[];
}

export function add(split: Split, ...changes: readonly Change[]): void {
  split.changes.push(...changes);
  split.state = applyChanges(split.state, changes);
}

/** Records a refusal, once per thing. Applies the change to the state, so that later changes can still be examined. */
export function refuse(split: Split, change: Change, reason: string, hint: string): void {
  const { cause = '' } = change;
  split.state = applyChanges(split.state, [change]);
  if (split.refusals.some(({ thing }) => thing === cause)) return;
  split.refusals.push({ thing: cause, reason, hint });
}

export function tableOf({ state }: Split, name: string): Table | undefined {
  return state.tables.find((table) => table.name === name);
}

export function hasColumn({ tables }: StorageModel, table: string, column: string): boolean {
  return tables.some(({ name, columns }) => name === table && columns.some((one) => one.name === column));
}

export function columnOf(split: Split, table: string, name: string): Column | undefined {
  return tableOf(split, table)?.columns.find((column) => column.name === name);
}

export function indexesOf(split: Split, table: string, column: string): readonly Index[] {
  return tableOf(split, table)?.indexes.filter(({ columns }) => columns.includes(column)) ?? [];
}

/** Whether a column is a new name of another one, which still exists. */
export function isSynced({ synced }: Split, table: string, column: string): boolean {
  return synced.get(table)?.some(({ to }) => to.name === column) ?? false;
}

/** Adds a default for missing values, when all others are there. */
export function fill(split: Split, change: Of<'fillEmpty'>): void {
  if (isSynced(split, change.table, change.column.name)) split.fills.push(change);
  else add(split, change);
}
