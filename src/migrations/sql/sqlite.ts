/**
 * The SQL of steps for SQLite. Foreign keys stay enabled, and tables are never recreated: dropping the old table would delete the
 * rows that reference it. To alter a column, a new one is added, filled, and replaces the old one, so that ids, foreign keys of
 * other tables and the sequence are kept. For this, each foreign key is declared with its column.
 */
import { COLUMN_NAMES } from '#contract/column-names.ts';
import type { Change } from '#contract/migrations/change.ts';
import { isRequiredKey } from '#contract/migrations/planned-table.ts';
import type { Column, ColumnType, ForeignKey, Index, IndexSort, Table } from '../../storage/storage-model.ts';
import { hasGeneratedId } from '../../storage/table-origin.ts';
import { sqliteCast } from './cast.ts';
import {
  checkItems,
  checkMembers,
  checkRequired,
  checkValues,
  claimValues,
  copyColumn,
  copyRelation,
  copyRows,
  deleteRows,
  mappedValues,
  nameEntries,
  numberLists,
  renameItemLinks,
  renameType,
} from './data-sql.ts';
import { renameRecords } from './records-sql.ts';
import { describeEdit } from './text/describe-edit.ts';
import { shareItemLinks, shareValues } from './share-sql.ts';
import { checkRows } from './check-sql.ts';
import { onDelete } from './delete-action.ts';
import { sqliteCreateSyncTriggers, sqliteDropSyncTriggers } from './sync-triggers.ts';
import { sqliteEditItems, sqliteItemIds, sqliteItemValues } from './text/sqlite-items.ts';
import { sqliteMember } from './member-sql.ts';
import { createRequiredTriggers, dropRequiredTriggers, sqliteRequire, sqliteUnrequire } from './required-triggers.ts';
import { sqliteCreateSearch, sqliteDropSearch } from './search-sql.ts';
import { type Fill, fillAtOnce, fillInBatches, fillRest } from './fill-sql.ts';
import { keyOfFill } from '../plan/batched.ts';
import { isRestoredById, withDefault } from '../plan/placeholder.ts';
import { spareName } from '../diff/rename-order.ts';
import type { FillStep, Step } from '../plan/step.ts';
import { sqlComment, sqlLiteral, sqlName } from './text/sql-text.ts';
import type { SqlLine } from './sql-line.ts';
import { type SqlWriter, updateFrom } from './sql-writer.ts';

const WRITER: SqlWriter = {
  id: sqlName,
  text: sqlLiteral,
  concat: (...parts) => parts.join(' || '),
  itemIds: sqliteItemIds,
  itemValues: sqliteItemValues,
  editItems: sqliteEditItems,
  updateFrom,
  copiesToUpdate: false,
};

const TYPES: Readonly<Record<ColumnType, string>> = {
  id: 'integer',
  string: 'text',
  text: 'text',
  integer: 'integer',
  biginteger: 'integer',
  float: 'real',
  decimal: 'text',
  boolean: 'integer',
  date: 'text',
  time: 'text',
  datetime: 'text',
  json: 'text',
  position: 'integer',
};

function names(list: readonly string[]): string {
  return `(${list.map(sqlName).join(', ')})`;
}

function literal(type: ColumnType, value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (type === 'biginteger' || (typeof value === 'number' && type !== 'decimal')) return String(value);
  return sqlLiteral(String(value));
}

function columnClause(column: Column): string {
  const given = column.default === undefined ? '' : ` DEFAULT ${literal(column.type, column.default)}`;
  const isNullable = column.nullable || isRequiredKey(column);
  return `${sqlName(column.name)} ${TYPES[column.type]}${isNullable ? '' : ' NOT NULL'}${given}`;
}

/** SQLite can add a NOT NULL column only with a default, and can't remove that. The server always writes all columns. */
function addedClause(column: Column): string {
  return columnClause(column.nullable || isRequiredKey(column) ? column : withDefault(column));
}

function reference(key: ForeignKey | undefined): string {
  if (!key) return '';
  return `\n    CONSTRAINT ${sqlName(key.name)} REFERENCES ${sqlName(key.references)} ("id") ${onDelete(key)}`;
}

/** Decimals are stored as text, but sorted by their value. */
function sortedValue(stored: string, sort: IndexSort | undefined): string {
  const value = sort?.by === 'decimal' ? `CAST(${stored} AS REAL)` : stored;
  return sort?.descending ? `${value} DESC` : value;
}

function createIndex(table: string, index: Index): readonly string[] {
  if (index.search) return sqliteCreateSearch(table, index);
  const { name, columns, unique, sorts = [], member } = index;
  const list = columns
    .map((column, place) =>
      sortedValue(place === 0 && member ? sqliteMember(column, member) : sqlName(column), sorts[place]),
    )
    .join(', ');
  return [`CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${sqlName(name)}\n  ON ${sqlName(table)} (${list});`];
}

function createTable(table: Table): readonly string[] {
  const hasId = table.columns.some(({ role, name }) => role === 'id' && table.primaryKey[0] === name);
  const idClause = `"id" integer PRIMARY KEY${hasGeneratedId(table) ? ' AUTOINCREMENT' : ''}`;
  const clauses = table.columns.map(
    (column) =>
      (hasId && column.role === 'id' ? idClause : columnClause(column)) +
      reference(table.foreignKeys.find((key) => key.column === column.name)),
  );
  const key = hasId ? [] : [`PRIMARY KEY ${names(table.primaryKey)}`];
  return [
    `CREATE TABLE ${sqlName(table.name)} (\n  ${[...clauses, ...key].join(',\n  ')}\n)${hasId ? '' : ' WITHOUT ROWID'};`,
    ...table.indexes.flatMap((index) => createIndex(table.name, index)),
    ...table.columns.flatMap((column) =>
      sqliteRequire(
        table.name,
        column,
        table.foreignKeys.find((key) => key.column === column.name),
      ),
    ),
  ];
}

function addColumn(table: string, column: Column, key?: ForeignKey): string {
  return `ALTER TABLE ${sqlName(table)}\n  ADD COLUMN ${addedClause(column)}${reference(key)};`;
}

function fill(table: string, column: string, value: string): string {
  return `UPDATE ${sqlName(table)}\n  SET ${sqlName(column)} = ${value};`;
}

function addSteps(step: Extract<Step, { kind: 'addColumn' | 'restoreColumn' }>): readonly string[] {
  const { table, column, foreignKey: key } = step;
  const document = step.kind === 'addColumn' ? step.fillDocument : undefined;
  const fills = typeof document === 'string' ? [fill(table, column.name, sqlLiteral(document))] : [];
  return [addColumn(table, column, key), ...fills, ...sqliteRequire(table, column, key)];
}

/** The id of a row, as a value of a column. */
function idAs({ type }: Column): string {
  return sqliteCast('integer', type, '"id"');
}

function fillEmpty({ column, from }: Extract<FillStep, { kind: 'fillEmpty' }>): string {
  if (from) return sqlName(from.name);
  return isRestoredById(column) ? idAs(column) : literal(column.type, withDefault(column).default);
}

function addedValue(step: Extract<FillStep, { kind: 'addColumn' | 'restoreColumn' }>): string {
  if (step.fillWith !== undefined) return sqlLiteral(step.fillWith);
  if (step.kind === 'restoreColumn' && step.fillFrom === undefined) return idAs(step.column);
  return step.fillFrom === undefined ? "'d' || substr(lower(hex(randomblob(12))), 1, 23)" : sqlName(step.fillFrom);
}

/** The fill of a step. A column that isn't nullable is added with a placeholder, which marks rows that are not filled yet. */
function fillOf(step: FillStep): Fill {
  if (step.kind === 'mapValues') return mappedValues(WRITER, step);
  const { table, column } = step;
  const name = sqlName(column.name);
  if (step.kind === 'fillEmpty') {
    const which = step.published ? ` AND ${sqlName(COLUMN_NAMES.publishedAt)} IS NOT NULL` : '';
    return { table, column: column.name, value: fillEmpty(step), where: `${name} IS NULL${which}` };
  }
  const nothing = column.nullable ? 'IS NULL' : `= ${literal(column.type, withDefault(column).default)}`;
  return { table, column: column.name, value: addedValue(step), where: `${name} ${nothing}`, ...keyOfFill(step) };
}

function dropColumn(table: string, column: string): string {
  return `ALTER TABLE ${sqlName(table)}\n  DROP COLUMN ${sqlName(column)};`;
}

function renameColumn(table: string, from: string, to: string): string {
  return `ALTER TABLE ${sqlName(table)}\n  RENAME COLUMN ${sqlName(from)} TO ${sqlName(to)};`;
}

function dropIndex(index: Index): readonly string[] {
  return index.search ? sqliteDropSearch(index) : [`DROP INDEX ${sqlName(index.name)};`];
}

type AlterColumn = Extract<Change, { kind: 'alterColumn' }>;

/** Creates a table again with its rows. Nothing may refer to it. */
function recreate(whole: Table, { table, to, indexes, foreignKey }: AlterColumn): readonly string[] {
  const name = spareName(table, new Set());
  const foreignKeys = whole.foreignKeys.map((key) => (foreignKey && key.column === to.name ? foreignKey.to : key));
  const list = whole.columns.map((column) => sqlName(column.name)).join(', ');
  return [
    ...createTable({ ...whole, name, foreignKeys, indexes: [] }),
    `INSERT INTO ${sqlName(name)} (${list})\n  SELECT ${list} FROM ${sqlName(table)};`,
    `DROP TABLE ${sqlName(table)};`,
    `ALTER TABLE ${sqlName(name)}\n  RENAME TO ${sqlName(table)};`,
    ...indexes.flatMap((index) => createIndex(table, index)),
  ];
}

/** Replaces a column by one with other options and another foreign key. */
function replaceColumn({ table, from, to, indexes, foreignKey }: AlterColumn): readonly string[] {
  const cast = sqliteCast(from.type, to.type, sqlName(to.name));
  const spare = spareName(to.name, new Set());
  const isRequired = from.nullable && !to.nullable && to.default !== undefined;
  const value = isRequired ? `coalesce(${cast}, ${literal(to.type, withDefault(to).default)})` : cast;
  return [
    ...indexes.flatMap(dropIndex),
    addColumn(table, { ...to, name: spare }, foreignKey?.to),
    fill(table, spare, value),
    dropColumn(table, to.name),
    renameColumn(table, spare, to.name),
    ...indexes.flatMap((index) => createIndex(table, index)),
  ];
}

function alterColumn(change: AlterColumn): readonly string[] {
  const { table, from, to, foreignKey, whole } = change;
  if (whole) return recreate(whole, change);
  const isSame = columnClause(from) === columnClause(to) && reference(foreignKey?.from) === reference(foreignKey?.to);
  const old = sqlName(to.name);
  const cast = sqliteCast(from.type, to.type, old);
  const inPlace = cast === old ? [] : [fill(table, to.name, cast)];
  return [
    ...sqliteUnrequire(from, foreignKey?.from),
    ...(isSame ? inPlace : replaceColumn(change)),
    ...sqliteRequire(table, to, foreignKey?.to),
  ];
}

function renameForeignKey({ table, from, foreignKey, required }: Extract<Step, { kind: 'renameForeignKey' }>) {
  if (!required) return [];
  return [...dropRequiredTriggers(from), ...createRequiredTriggers(table, foreignKey)];
}

/** The statements of a step for SQLite, in execution order. */
export function sqliteStep(step: Step): readonly SqlLine[] {
  switch (step.kind) {
    case 'createTable':
      return createTable(step.table);
    case 'dropTable':
      return [
        ...step.table.indexes.flatMap((index) => (index.search ? sqliteDropSearch(index) : [])),
        `DROP TABLE ${sqlName(step.table.name)};`,
      ];
    case 'renameTable':
      return [`ALTER TABLE ${sqlName(step.from)}\n  RENAME TO ${sqlName(step.to)};`];
    case 'addColumn':
    case 'restoreColumn':
      return addSteps(step);
    case 'dropColumn':
      return [...sqliteUnrequire(step.column, step.foreignKey), dropColumn(step.table, step.column.name)];
    case 'renameColumn':
      return [renameColumn(step.table, step.from, step.to)];
    case 'alterColumn':
      return alterColumn(step);
    case 'createIndex':
      return createIndex(step.table, step.index);
    case 'dropIndex':
      return dropIndex(step.index);
    case 'renameIndex':
      return [...dropIndex({ ...step.index, name: step.from }), ...createIndex(step.table, step.index)];
    case 'checkValues':
      return checkValues(WRITER, step);
    case 'checkMembers':
      return checkMembers(WRITER, 'sqlite', step);
    case 'checkRows':
      return checkRows(WRITER, 'sqlite', step);
    case 'checkItems':
      return checkItems(WRITER, step);
    case 'checkRequired':
      return checkRequired(WRITER, step);
    case 'mapValues':
    case 'fillEmpty':
      return [fillAtOnce(sqlName, fillOf(step))];
    case 'fillRanges':
      return fillInBatches(sqlName, fillOf(step.of));
    case 'fillRest':
      return fillRest(sqlName, fillOf(step.of));
    case 'createSyncTriggers':
      return sqliteCreateSyncTriggers(step);
    case 'dropSyncTriggers':
      return sqliteDropSyncTriggers(step);
    case 'shareValues':
      return shareValues(WRITER, step);
    case 'shareItemLinks':
      return shareItemLinks(WRITER, step);
    case 'numberLists':
      return numberLists(WRITER, step);
    case 'nameEntries':
      return nameEntries(WRITER, step);
    case 'claimValues':
      return claimValues(WRITER, step);
    case 'copyRows':
      return copyRows(WRITER, step);
    case 'copyColumn':
      return copyColumn(WRITER, step);
    case 'copyRelation':
      return copyRelation(WRITER, step);
    case 'deleteRows':
      return deleteRows(WRITER, step.table, step.rows);
    case 'editItems':
      return [sqlComment(describeEdit(step.column, step.edit)), ...sqliteEditItems(step.table, step.column, step.edit)];
    case 'renameItemLinks':
      return renameItemLinks(WRITER, step);
    case 'renameRecords':
      return renameRecords(WRITER, step);
    case 'renameType':
      return renameType(WRITER, step);
    case 'renameForeignKey':
      return renameForeignKey(step);
    // Foreign keys are declared with their columns.
    case 'addForeignKey':
    case 'dropForeignKey':
    case 'relabelTable':
    case 'relabelColumn':
    case 'defineComponent':
    case 'addUnchecked':
    case 'validate':
    case 'setNotNull':
    case 'setLocales':
    case 'lost':
      return [];
  }
}
