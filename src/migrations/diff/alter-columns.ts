/** Changes to the options of columns, and to the foreign keys that belong to them. */
import type { Change } from '#contract/migrations/change.ts';
import type { Column, ForeignKey, Index, Table } from '../../storage/storage-model.ts';
import { hintWithQuery } from '../sql/text/hint-sql.ts';
import { conversionOf } from './conversion.ts';
import { causeOf, type DiffContext } from './diff-context.ts';
import type { Pair } from './pair.ts';
import type { TableDiff } from './table-diff.ts';

type AlterColumn = Extract<Change, { kind: 'alterColumn' }>;

/** The foreign key of a column, if it has one. */
export function keyOf(table: Table, column: string): { readonly foreignKey?: ForeignKey } {
  const foreignKey = table.foreignKeys.find((key) => key.column === column);
  return foreignKey ? { foreignKey } : {};
}

/** The foreign key of a column that is kept, by its new name. */
function keysOf({ tables }: TableDiff, { before, after }: Pair<Column>): AlterColumn['foreignKey'] {
  const from = keyOf(tables.before, before.name).foreignKey;
  const to = keyOf(tables.after, after.name).foreignKey;
  return from && to && { from: { ...to, onDelete: from.onDelete }, to };
}

/** Whether the column itself or the rule of its foreign key changes, apart from its name. */
export function isAltered(diff: TableDiff, pair: Pair<Column>): boolean {
  const { before, after } = pair;
  if (before.type !== after.type || before.nullable !== after.nullable || before.default !== after.default) return true;
  const keys = keysOf(diff, pair);
  return keys !== undefined && keys.from.onDelete !== keys.to.onDelete;
}

/** A column of a primary key can only be replaced with its table on SQLite. */
function wholeOf({ before, after }: Pair<Table>, { name }: Column): { readonly whole?: Table } {
  return before.primaryKey.length > 1 && after.primaryKey.includes(name) ? { whole: after } : {};
}

/** Alters columns. Returns their names: new indexes on them are created afterwards. */
export function alterColumns(context: DiffContext, diff: TableDiff, kept: readonly Index[]): ReadonlySet<string> {
  const { draft } = context;
  const { tables, columns } = diff;
  const altered = new Set<string>();
  for (const pair of columns.pairs.filter((one) => isAltered(diff, one))) {
    const { before, after } = pair;
    altered.add(after.name);
    const { default: _default, ...label } = after;
    const given = before.default === undefined ? {} : { default: before.default };
    const from: Column = { ...label, type: before.type, nullable: before.nullable, ...given };
    const cause = causeOf(tables.after, after.attribute);
    const whole = wholeOf(tables, after);
    // All of its indexes are created again.
    const indexes = whole.whole ? kept : kept.filter((index) => index.columns.includes(after.name));
    const foreignKey = keysOf(diff, pair);
    const about = { table: tables.after.name, from, to: after, indexes, ...(foreignKey && { foreignKey }), ...whole };
    draft.add('alter', { kind: 'alterColumn', ...about, cause });
    alterLosses(context, tables, before, after);
  }
  return altered;
}

/** A required relation that gets its links from elsewhere can only be empty at first. */
export function addMoved(context: DiffContext, { tables }: TableDiff, column: Column): void {
  const table = tables.after.name;
  const cause = causeOf(tables.after, column.attribute);
  const empty = { ...column, nullable: true };
  const { foreignKey } = keyOf(tables.after, column.name);
  const keys = foreignKey ? { foreignKey: { from: foreignKey, to: foreignKey } } : {};
  context.draft.add('add', { kind: 'addColumn', table, column: empty, ...(foreignKey && { foreignKey }), cause });
  context.draft.add('alter', { kind: 'alterColumn', table, from: empty, to: column, indexes: [], ...keys, cause });
  alterLosses(context, tables, empty, column);
}

/** So that undoing can copy its links back before the column becomes required again. */
export function loosenMoved(
  { draft }: DiffContext,
  table: string,
  column: Column,
  foreignKey: ForeignKey,
  cause: string,
): Column {
  const to = { ...column, nullable: true };
  const keys = { from: foreignKey, to: foreignKey };
  draft.add('data', { kind: 'alterColumn', table, from: column, to, indexes: [], foreignKey: keys, cause });
  return to;
}

function alterLosses({ draft, databases }: DiffContext, tables: Pair<Table>, before: Column, after: Column): void {
  const thing = causeOf(tables.after, after.attribute);
  const table = tables.after.name;
  if (conversionOf(before.type, after.type) === 'narrowing' && !after.values) {
    draft.lose({
      code: 'narrows',
      thing,
      message: `'${thing}' would be limited to 255 characters, and the migration fails if an entry has a longer value`,
      hint: hintWithQuery(
        databases,
        'Count the longer values',
        ({ id, isLong }) => `SELECT count(*) FROM ${id(table)} WHERE ${isLong(id(after.name))}`,
        `If the count is 0 in every database, pass --allow-destructive ${thing}`,
      ),
      places: [thing],
    });
  }
  if (!before.nullable || after.nullable || after.default !== undefined) return;
  draft.lose({
    code: 'requires',
    thing,
    message: `'${thing}' becomes required, but existing entries may have no value for it`,
    hint: hintWithQuery(
      databases,
      'Count these entries',
      ({ id }) => `SELECT count(*) FROM ${id(table)} WHERE ${id(after.name)} IS NULL`,
      `${after.role === 'foreignKey' ? 'Set their values first in a' : 'Either add a default, which they receive, or set their values first in a'} handwritten migration (npx content-gen migrations new). Once the count is 0 in every database, pass --allow-destructive ${thing}`,
    ),
    places: [thing],
  });
}
