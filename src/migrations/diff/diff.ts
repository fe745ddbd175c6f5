/** Compares two storage models. */
import { isDeepStrictEqual } from 'node:util';
import { isRequiredKey } from '#contract/migrations/planned-table.ts';
import type { TableLabel } from '#contract/migrations/change.ts';
import type { Rename } from '#contract/migrations/plan.ts';
import type { Column, ForeignKey, Index, StorageModel, Table } from '../../storage/storage-model.ts';
import { hasGeneratedId } from '../../storage/table-origin.ts';
import { diffColumns } from './diff-columns.ts';
import type { TableDiff } from './table-diff.ts';
import { causeOf, type DiffContext } from './diff-context.ts';
import { diffItems } from './diff-items.ts';
import { type Copy, copyRelations, findCopies, type Stored } from './diff-relations.ts';
import { diffSharing, shareComponents, shareCopies } from './diff-sharing.ts';
import { renameRecords } from './rename-records.ts';
import { diffPublished } from './diff-published.ts';
import { diffSettings, losesLocales } from './diff-settings.ts';
import { createDraft, type Draft } from './draft.ts';
import { foreignKeysAside, indexesAside, stayingColumns, withKeysAside } from './keys-aside.ts';
import { findLosses } from './losses.ts';
import { type Pair, pairColumns, pairForeignKeys, pairIndexes, pairTables } from './pair.ts';
import { inOrder, type NameChange } from './rename-order.ts';

/** Columns to drop late: they are copied, or select rows to delete, or share an index that a remaining foreign key needs. */
function lateColumns({ tables: { before, after }, columns }: TableDiff, copies: readonly Copy[]): ReadonlySet<string> {
  const copied = copies.flatMap(({ from }) => {
    if (from.table !== before || !from.column) return [];
    const { attribute, name } = from.column;
    const positions = before.columns.filter((one) => one.role === 'listPosition' && one.attribute === attribute);
    return [name, ...positions.map((one) => one.name)];
  });
  const isLocale = ({ role }: Column): boolean => role === 'locale' || role === 'documentId';
  const locale = losesLocales(before, after) ? before.columns.filter(isLocale) : [];
  // In morph tables and component links, rows without a target are deleted first.
  const targets = before.columns.filter(({ targetType }) => targetType !== undefined);
  const staying = new Set(columns.pairs.map((pair) => pair.before.name));
  const keys = before.foreignKeys.filter((key) => staying.has(key.column)).map((key) => key.column);
  const beside = before.indexes.flatMap((index) =>
    keys.some((key) => index.columns.includes(key)) ? index.columns : [],
  );
  // And so are permissions with rules, before the rules go.
  const rules = before.columns.filter(({ role }) => role === 'rule');
  return new Set([...copied, ...[...locale, ...targets, ...rules].map(({ name }) => name), ...beside]);
}

function movedColumns({ tables: { before, after } }: TableDiff, copies: readonly Copy[]): TableDiff['moved'] {
  const namesIn = (table: Table, stored: readonly Stored[]): ReadonlySet<string> =>
    new Set(stored.flatMap((one) => (one.table === table && one.column ? [one.column.name] : [])));
  return {
    from: namesIn(
      before,
      copies.map(({ from }) => from),
    ),
    to: namesIn(
      after,
      copies.map(({ to }) => to),
    ),
  };
}

function renameTables({ draft, tables }: DiffContext, recorded: StorageModel): readonly NameChange<Table>[] {
  const changes = tables.pairs.map((pair) => ({ from: pair.before.name, to: pair.after.name, thing: pair.after }));
  const taken = recorded.tables.map(({ name }) => name);
  const gone = new Set(tables.gone.map(({ name }) => name));
  const ordered = inOrder(
    changes,
    taken.filter((name) => !gone.has(name)),
  );
  for (const { from, to, thing } of ordered) {
    const hasId = hasGeneratedId(thing);
    draft.add('renameTable', { kind: 'renameTable', from, to, hasId, cause: causeOf(thing) });
  }
  return ordered;
}

function labelOf(table: Table): TableLabel {
  const { kind } = table;
  switch (kind) {
    case 'type':
    case 'componentLinks':
      return { kind, uid: table.uid };
    case 'morph':
      return { kind, uid: table.uid, attribute: table.attribute };
    case 'link': {
      const { uid, attribute, inverse } = table;
      return { kind, uid, attribute, ...(inverse === undefined ? {} : { inverse }) };
    }
    case 'server':
      return { kind, role: table.role };
  }
}

function relabelTables({ draft, tables, recordedTables }: DiffContext): void {
  for (const { before, after } of tables.pairs) {
    const was = recordedTables.get(before.name) ?? before;
    const [from, to] = [labelOf(was), labelOf(after)];
    if (isDeepStrictEqual(from, to)) continue;
    draft.add('describe', { kind: 'relabelTable', table: after.name, from, to, cause: causeOf(after) });
  }
}

interface Key<T> {
  readonly table: string;
  readonly cause: string;
  /** For foreign keys: whether the column is required. */
  readonly required: { readonly required?: true };
  readonly before: T;
  readonly after: T;
}

function keysOf<T extends ForeignKey | Index>({ tables }: TableDiff, pairs: readonly Pair<T>[]): readonly Key<T>[] {
  return pairs.map((pair) => {
    const { before } = pair;
    const column = 'column' in before ? tables.before.columns.find(({ name }) => name === before.column) : undefined;
    const required = column && isRequiredKey(column) ? ({ required: true } as const) : {};
    return { table: tables.after.name, cause: causeOf(tables.after), required, ...pair };
  });
}

/** The renames of keys, in an order without name collisions. */
function renamesOf<T extends ForeignKey | Index>(
  keys: readonly Key<T>[],
  taken: readonly string[],
): readonly NameChange<Key<T>>[] {
  return inOrder(
    keys.map((thing) => ({ from: thing.before.name, to: thing.after.name, thing })),
    taken,
  );
}

function renameKeys({ draft, names }: DiffContext, diffs: readonly TableDiff[]): void {
  const foreignKeys = diffs.flatMap((diff) =>
    keysOf(diff, [...pairForeignKeys(diff.tables, stayingColumns(diff)), ...foreignKeysAside(diff, names)]),
  );
  const allKeys = foreignKeys.map(({ before }) => before.name);
  for (const { from, to, thing } of renamesOf(foreignKeys, allKeys)) {
    const { table, cause, before, after, required } = thing;
    const foreignKey = { ...after, name: to, onDelete: before.onDelete };
    draft.add('renameKey', { kind: 'renameForeignKey', table, from, foreignKey, ...required, cause });
  }
  const indexes = diffs.flatMap((diff) =>
    keysOf(diff, [...pairIndexes(diff.tables, stayingColumns(diff)).pairs, ...indexesAside(diff)]),
  );
  const allIndexes = indexes.map(({ before }) => before.name);
  for (const { from, to, thing } of renamesOf(indexes, allIndexes)) {
    const { table, cause, after } = thing;
    draft.add('renameKey', { kind: 'renameIndex', table, from, index: { ...after, name: to }, cause });
  }
}

/** The names of new and renamed tables, which must be free. */
function wantedNames({ tables }: DiffContext): ReadonlySet<string> {
  const renamed = tables.pairs.filter(({ before, after }) => before.name !== after.name);
  return new Set([...renamed.map(({ after }) => after.name), ...tables.added.map(({ name }) => name)]);
}

function createAndDropTables(context: DiffContext, copies: readonly Copy[]): void {
  const { draft, tables, after, recordedTables, names } = context;
  const wanted = wantedNames(context);
  const added = new Set(tables.added.map(({ name }) => name));
  for (const table of after.tables.filter(({ name }) => added.has(name))) {
    draft.add('create', { kind: 'createTable', table, cause: causeOf(table) });
  }
  for (const table of tables.gone.toReversed()) {
    const old = recordedTables.get(table.name) ?? table;
    const isSource = copies.some(({ from }) => !from.column && from.table === table);
    if (wanted.has(table.name) && !isSource) {
      draft.add('dropEarly', { kind: 'dropTable', table: old, cause: causeOf(table) });
      continue;
    }
    const foreignKeys = old.foreignKeys.map((key) => ({
      ...key,
      references: names.get(key.references) ?? key.references,
    }));
    draft.add('dropLate', { kind: 'dropTable', table: { ...old, foreignKeys }, cause: causeOf(table) });
  }
}

function tableDiffs(context: DiffContext): readonly TableDiff[] {
  const { tables, names } = context;
  return tables.pairs.map((pair) => {
    const columns = pairColumns(names, pair);
    const none = new Set<string>();
    return { tables: pair, columns, late: none, moved: { from: none, to: none }, aside: new Map<string, string>() };
  });
}

/**
 * Returns the changes from `recorded`, the state after the history, to `after`. `before` is `recorded` with the pending renames
 * applied to its types, components and attributes.
 */
export function diffStorage(
  recorded: StorageModel,
  before: StorageModel,
  after: StorageModel,
  renames: readonly Rename[],
  {
    isRecorded = true,
    valueChanges = new Map(),
    memberDefaults = new Map(),
    databases = ['sqlite'],
  }: Partial<Pick<DiffContext, 'isRecorded' | 'valueChanges' | 'memberDefaults' | 'databases'>> = {},
): Draft {
  const tables = pairTables(before, after);
  const names = new Map(tables.pairs.map((pair) => [pair.before.name, pair.after.name]));
  const draft = createDraft();
  const recordedTables = new Map(recorded.tables.map((table) => [table.name, table]));
  const known = { isRecorded, valueChanges, memberDefaults, databases };
  const context: DiffContext = { draft, recorded, recordedTables, before, after, tables, names, ...known };
  const plain = tableDiffs(context);
  const copies = findCopies(context, plain);
  const diffs = withKeysAside(
    context,
    plain.map((diff) => ({ ...diff, late: lateColumns(diff, copies), moved: movedColumns(diff, copies) })),
  );
  findLosses(context, diffs, copies);
  renameRecords(context, renames, renameTables(context, recorded));
  relabelTables(context);
  diffSettings(context, diffs, renames);
  diffSharing(context, diffs);
  for (const diff of diffs) diffColumns(context, diff);
  renameKeys(context, diffs);
  diffItems(context, diffs);
  shareComponents(context, diffs);
  copyRelations(context, diffs, copies);
  shareCopies(context, copies);
  createAndDropTables(context, copies);
  diffPublished(context, diffs);
  return draft;
}
