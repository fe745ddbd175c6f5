/** Changes to columns and their indexes that are compatible with servers of the previous version. */
import type { Column } from '../../storage/storage-model.ts';
import { typeInWords } from '../diff/conversion.ts';
import { applyChanges } from '../history/fold.ts';
import { labelOf } from '../history/column-label.ts';
import { add, columnOf, fill, hasColumn, indexesOf, isSynced, type Of, refuse, type Split, tableOf } from './split.ts';

/** Makes a column nullable. */
function relax(split: Split, table: string, from: Column, cause: string | undefined): void {
  if (from.nullable && from.default === undefined) return;
  const { default: _, ...column } = from;
  const to = { ...column, nullable: true };
  const indexes = indexesOf(split, table, from.name);
  const key = tableOf(split, table)?.foreignKeys.find((one) => one.column === from.name);
  const keys = key ? { foreignKey: { from: key, to: key } } : {};
  add(split, { kind: 'alterColumn', table, from, to, indexes, ...keys, ...(cause === undefined ? {} : { cause }) });
}

/** Whether a column belongs to drafts or locales. */
function isOfEntries({ role }: Column): boolean {
  return role === 'documentId' || role === 'locale' || role === 'publishedAt';
}

const SETTINGS_HINT =
  'Change this setting in a separate build without --zero-downtime, and apply it while no server of the previous version is running.';

export function dropColumn(split: Split, change: Of<'dropColumn'>): void {
  const { table, column, cause } = change;
  const next = split.plan.changes.find(
    (other) => other.kind === 'addColumn' && other.table === table && other.column.name === column.name,
  );
  if (next) {
    const hint =
      'Give the new attribute another name. The old one can be removed in the same build, and the new one renamed in a later build.';
    return refuse(
      split,
      change,
      `the column "${table}"."${column.name}" would be replaced by one with the same name`,
      hint,
    );
  }
  if (isOfEntries(column)) {
    return refuse(
      split,
      change,
      'it turns off drafts or locales, which servers of the previous version still read',
      SETTINGS_HINT,
    );
  }
  // With a default, it has a value in the rows of the new version, which don't name it.
  if (column.default === undefined) relax(split, table, column, cause);
}

export function addColumn(split: Split, change: Of<'addColumn'>): void {
  const { column } = change;
  if (isOfEntries(column)) {
    return refuse(
      split,
      change,
      'it turns on drafts or locales, which servers of the previous version do not write',
      SETTINGS_HINT,
    );
  }
  // The previous version doesn't write positions: its new rows get the default and come first.
  const isOrder = column.type === 'position' && !column.nullable;
  const isGiven = column.nullable || column.default !== undefined;
  const own: Column = isOrder ? { ...column, default: 0 } : isGiven ? column : { ...column, nullable: true };
  add(split, { ...change, column: own });
}

/** Adds a second column with the new name, which stays in sync with the old one until the contract part. */
export function renameColumn(split: Split, change: Of<'renameColumn'>): void {
  const { table, from, to, cause } = change;
  const because = cause === undefined ? {} : { cause };
  // From a temporary name, which a cycle of renames needs: the cycle was already refused.
  if (!hasColumn(split.before, table, from)) {
    split.state = applyChanges(split.state, [change]);
    return;
  }
  const name = hasColumn(split.target, table, to) ? to : from;
  if (name === from || columnOf(split, table, to)) {
    const hint = 'Rename them one at a time, each in a separate build with --zero-downtime, using a temporary name.';
    return refuse(split, change, `the table "${table}" already has a column "${name}"`, hint);
  }
  const before = columnOf(split, table, from);
  if (!before) throw new Error(`a migration renames ${table}.${from}, which does not exist`);
  relax(split, table, before, cause);
  const { default: _, ...rest } = before;
  const [old, column] = [
    { ...rest, nullable: true },
    { ...rest, nullable: true, name: to },
  ];
  const label = labelOf(before);
  const key = split.plan.changes.findLast(
    (other): other is Of<'renameForeignKey'> =>
      other.kind === 'renameForeignKey' && other.table === table && other.foreignKey.column === to,
  );
  add(
    split,
    { kind: 'addColumn', table, column, ...(key ? { foreignKey: key.foreignKey } : {}), ...because },
    { kind: 'relabelColumn', table, column: from, from: label, to: {}, ...because },
  );
  split.synced.set(table, [...(split.synced.get(table) ?? []), { from: old, to: column }]);
}

/** Deletions of the new version need an emptied relation; those of the previous one can't be refused yet. */
function keysOfBoth({ from, to }: NonNullable<Of<'alterColumn'>['foreignKey']>) {
  return { from, to: to.onDelete === 'setNull' ? to : from };
}

export function alterColumn(split: Split, change: Of<'alterColumn'>): void {
  const { table, to, cause } = change;
  const now = columnOf(split, table, to.name);
  if (!now) throw new Error(`a migration changes ${table}.${to.name}, which does not exist`);
  const isRenamed = isSynced(split, table, to.name);
  const isLonger = change.from.type === 'string' && to.type === 'text' && !isRenamed;
  // The previous version may still write longer values: the contract part checks for them.
  const isShorter = change.from.type === 'text' && to.type === 'string';
  if (change.from.type !== to.type && !isLonger && !isShorter) {
    const hint =
      'Add an attribute of the new type with another name, and fill it in a handwritten migration (npx content-gen migrations new). Remove the old attribute in a later build.';
    return refuse(
      split,
      change,
      `it changes from ${typeInWords(change.from.type)} to ${typeInWords(to.type)} in the same column`,
      hint,
    );
  }
  const because = cause === undefined ? {} : { cause };
  const type = isShorter ? now.type : to.type;
  const both: Column = { ...to, type, nullable: now.nullable || to.nullable };
  const keys = change.foreignKey && keysOfBoth(change.foreignKey);
  const isOtherKey = keys !== undefined && keys.from.onDelete !== keys.to.onDelete;
  const isOther = now.type !== both.type || now.nullable !== both.nullable;
  if (isOther || isOtherKey || (!isRenamed && now.default !== both.default)) {
    add(split, {
      kind: 'alterColumn',
      table,
      from: now,
      to: both,
      indexes: indexesOf(split, table, to.name),
      ...(keys && { foreignKey: keys }),
      ...(change.whole && { whole: change.whole }),
      ...because,
    });
  }
  if (now.nullable && !to.nullable && to.default !== undefined) {
    fill(split, { kind: 'fillEmpty', table, column: both, ...because });
  }
}

export function createIndex(split: Split, change: Of<'createIndex'>): void {
  const { table, index } = change;
  const renamed = split.synced.get(table)?.map(({ to }) => to.name) ?? [];
  const isWritten = (name: string): boolean =>
    hasColumn(split.before, table, name) || columnOf(split, table, name)?.default !== undefined;
  const isKnown = index.columns.every((name) => renamed.includes(name) || isWritten(name));
  // The previous version may write duplicates, so the contract part creates this index.
  if (index.unique && isKnown) return;
  // Nor is text shortened before that, which is too long for an index.
  const isLong = index.columns.some((name) => columnOf(split, table, name)?.type === 'text');
  if (isLong && !index.search) return;
  add(split, change);
}
