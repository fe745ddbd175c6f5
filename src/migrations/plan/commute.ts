/** Whether two migrations that were planned from the same state commute, so that they can run one after the other. */
import { isDeepStrictEqual } from 'node:util';
import type { Change, RelationStorage, RowsToDelete } from '#contract/migrations/change.ts';
import type { MigrationPlan } from '#contract/migrations/plan.ts';
import type { Column, ForeignKey } from '../../storage/storage-model.ts';

/** Descriptions of things: `the table articles`. What one migration changes, the other must neither use nor change. */
interface Touched {
  readonly changes: Set<string>;
  readonly uses: Set<string>;
}

const table = (name: string): string => `the table ${name}`;
const column = (owner: string, name: string): string => `the column ${owner}.${name}`;
const index = (name: string): string => `the index ${name}`;
const items = (owner: string): string => `the components in ${owner}`;
const component = (uid: string): string => `the component ${uid}`;
const ANY_COMPONENT = 'the definitions of components';
const LOCALES = 'the locales';

function useKeys(touched: Touched, keys: readonly ForeignKey[]): void {
  for (const { references } of keys) touched.uses.add(table(references));
}

function touchColumn(touched: Touched, owner: string, own: Column, foreignKey?: ForeignKey): void {
  touched.changes.add(column(owner, own.name));
  touched.uses.add(table(owner));
  if (foreignKey) useKeys(touched, [foreignKey]);
  if (own.role === 'locale') touched.uses.add(LOCALES);
  if (!own.holds) return;
  touched.changes.add(items(owner));
  const uids = own.holds.kind === 'zone' ? own.holds.components : [own.holds.component];
  for (const uid of uids) touched.uses.add(component(uid));
}

function touchRelation(touched: Touched, storage: RelationStorage): void {
  touched.uses.add(table(storage.table));
  if (storage.kind === 'link') touched.changes.add(`the rows of ${storage.table}`);
  else touched.changes.add(column(storage.table, storage.column));
}

function touchRows(touched: Touched, owner: string, rows: RowsToDelete): void {
  touched.uses.add(table(owner));
  switch (rows.of) {
    case 'locale':
      touched.changes.add(LOCALES);
      return;
    case 'otherLocales':
      touched.changes.add(LOCALES);
      for (const link of rows.links ?? []) {
        touched.uses.add(table(link.table));
        touched.changes.add(link.isEntry ? column(link.table, link.column) : `the rows of ${link.table}`);
      }
      return;
    case 'target':
    case 'ruled':
      touched.changes.add(column(owner, rows.column));
      return;
    case 'laterLinks':
      touched.changes.add(`the rows of ${owner}`);
      return;
    case 'goneItems':
      touched.changes.add(ANY_COMPONENT);
      touched.changes.add(items(rows.owner));
      return;
    case 'itemAttributes':
      touched.changes.add(items(rows.owner));
  }
}

/** Columns that are copied to another table. */
function touchCopy(
  { changes, uses }: Touched,
  { table: to, from }: { readonly table: string; readonly from: string },
  columns: readonly string[],
): void {
  uses.add(table(from)).add(table(to));
  for (const name of columns) {
    uses.add(column(from, name));
    changes.add(column(to, name));
  }
}

function touchRecords(
  { changes }: Touched,
  { records, types, tables }: Extract<Change, { kind: 'renameRecords' }>,
): void {
  for (const { from, to } of types) changes.add(`the type ${from}`).add(`the type ${to}`);
  for (const { from, to } of tables) changes.add(table(from)).add(table(to));
  for (const name of records) changes.add(table(name));
}

function touch(touched: Touched, change: Change): void {
  const { changes, uses } = touched;
  switch (change.kind) {
    case 'createTable':
    case 'dropTable':
      changes.add(table(change.table.name));
      useKeys(touched, change.table.foreignKeys);
      return;
    case 'renameTable':
      changes.add(table(change.from)).add(table(change.to));
      return;
    case 'relabelTable':
      changes.add(table(change.table));
      return;
    case 'addColumn':
    case 'dropColumn':
      return touchColumn(touched, change.table, change.column, change.foreignKey);
    case 'renameColumn':
      uses.add(table(change.table));
      changes.add(column(change.table, change.from)).add(column(change.table, change.to));
      return;
    case 'relabelColumn':
      uses.add(table(change.table));
      changes.add(column(change.table, change.column));
      return;
    case 'alterColumn':
      touchColumn(touched, change.table, change.to, change.foreignKey?.to);
      for (const { name } of change.indexes) uses.add(index(name));
      return;
    case 'createIndex':
    case 'dropIndex':
      uses.add(table(change.table));
      changes.add(index(change.index.name));
      for (const name of change.index.columns) uses.add(column(change.table, name));
      return;
    case 'renameIndex':
      uses.add(table(change.table));
      changes.add(index(change.from)).add(index(change.index.name));
      return;
    case 'renameForeignKey':
      uses.add(table(change.table));
      changes.add(column(change.table, change.foreignKey.column));
      return;
    case 'checkValues':
    case 'mapValues':
      uses.add(table(change.table));
      changes.add(column(change.table, change.column));
      return;
    case 'fillEmpty':
      uses.add(table(change.table));
      changes.add(column(change.table, change.column.name));
      return;
    case 'createSyncTriggers':
    case 'dropSyncTriggers':
      uses.add(table(change.table));
      for (const { from, to } of change.columns) changes.add(column(change.table, from)).add(column(change.table, to));
      return;
    case 'copyRows':
      return touchCopy(touched, change, change.columns);
    case 'copyColumn':
      return touchCopy(touched, change, [change.column]);
    case 'numberLists':
      uses.add(table(change.table)).add(column(change.table, change.key));
      changes.add(column(change.table, change.position));
      return;
    case 'shareValues':
      uses.add(table(change.table)).add(table(change.type));
      changes.add(LOCALES);
      changes.add(change.copied ? `the rows of ${change.table}` : column(change.table, change.column));
      return;
    case 'shareItemLinks':
      uses.add(table(change.table)).add(table(change.type));
      changes.add(items(change.type));
      return;
    case 'nameEntries':
      uses.add(table(change.table)).add(table(change.target));
      changes.add(column(change.table, change.column));
      return;
    case 'claimValues':
      uses.add(table(change.table)).add(column(change.table, change.column));
      changes.add(column(change.table, change.claim));
      return;
    case 'copyRelation':
      touchRelation(touched, change.from);
      touchRelation(touched, change.to);
      return;
    case 'deleteRows':
      return touchRows(touched, change.table, change.rows);
    case 'checkItems':
    case 'checkRequired':
      for (const { table: owner, place } of change.items) {
        uses.add(table(owner)).add(column(owner, place.column));
        changes.add(items(owner));
      }
      return;
    case 'editItems':
      uses.add(table(change.table));
      changes.add(items(change.table)).add(column(change.table, change.column));
      return;
    case 'renameItemLinks':
      uses.add(table(change.table)).add(table(change.owner));
      changes.add(items(change.owner));
      return;
    case 'renameRecords':
      touchRecords(touched, change);
      return;
    case 'renameType':
      changes.add(`the type ${change.from}`).add(`the type ${change.to}`);
      return;
    case 'defineComponent':
      uses.add(ANY_COMPONENT);
      for (const shape of [change.from, change.to]) if (shape) changes.add(component(shape.uid));
      for (const { items: places } of change.retyped ?? []) {
        for (const { table: owner, place } of places) uses.add(table(owner)).add(column(owner, place.column));
      }
      return;
    case 'setLocales':
      changes.add(LOCALES);
  }
}

function touchedBy(change: Change): Touched {
  const touched: Touched = { changes: new Set(), uses: new Set() };
  touch(touched, change);
  return touched;
}

/** Both define a component in the same way, for example as the first migrations that say which attributes are required. */
function isSameDefinition(one: Change, other: Change): boolean {
  return one.kind === 'defineComponent' && isDeepStrictEqual(one, other);
}

/** Something that two migrations touch in ways that depend on their order. */
export interface Conflict {
  readonly what: string;
  readonly causes: readonly [string | undefined, string | undefined];
}

/** The first conflict; undefined if the migrations commute. */
export function conflictOf(first: MigrationPlan, second: MigrationPlan): Conflict | undefined {
  const others = second.changes.map((change) => [change, touchedBy(change)] as const);
  for (const one of first.changes) {
    const { changes, uses } = touchedBy(one);
    for (const [other, touched] of others) {
      if (isSameDefinition(one, other)) continue;
      const what =
        [...changes].find((thing) => touched.changes.has(thing) || touched.uses.has(thing)) ??
        [...touched.changes].find((thing) => uses.has(thing));
      if (what !== undefined) return { what, causes: [one.cause, other.cause] };
    }
  }
  return undefined;
}
