/**
 * Changes as SQLite makes them. Foreign keys stay on, and no table is made anew: dropping the old one would delete what
 * refers to its rows. A column that changes is added, filled, and takes the place of the old one, so that ids, keys of other
 * tables and the sequence stay as they are. For that each key stands with its column.
 */
import { COLUMN_NAMES } from '../../storage/column-names.ts';
import type {
  Column,
  ColumnRole,
  ColumnType,
  ForeignKey,
  Index,
  IndexSort,
  Table,
} from '../../storage/storage-model.ts';
import { hasGeneratedId } from '../../storage/table-origin.ts';
import type { Change } from '../history/change.ts';
import { sqliteCast } from './cast.ts';
import {
  checkDates,
  checkItems,
  checkValues,
  copyRelation,
  deleteRows,
  mapValues,
  renameItemLinks,
  renameType,
} from './data-sql.ts';
import { sqliteCreateSyncTriggers, sqliteDropSyncTriggers } from './sync-triggers.ts';
import { sqliteEditItems, sqliteItemIds, sqliteItemValues } from './text/sqlite-items.ts';
import { sqliteCreateSearch, sqliteDropSearch } from './search-sql.ts';
import { guardRows } from './guard-sql.ts';
import { misfit } from './misfit.ts';
import { isRestoredById, withDefault } from './placeholder.ts';
import { spareName } from '../diff/rename-order.ts';
import type { Step } from '../plan/step.ts';
import { sqlLiteral, sqlName } from './text/sql-text.ts';
import type { SqlWriter } from './sql-writer.ts';

const WRITER: SqlWriter = {
  id: sqlName,
  text: sqlLiteral,
  concat: (...parts) => parts.join(' || '),
  itemIds: sqliteItemIds,
  itemValues: sqliteItemValues,
  editItems: sqliteEditItems,
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

/** Roles of columns that types and lists may get after they have rows. */
const LATER_ROLES: ReadonlySet<ColumnRole> = new Set([
  'attribute',
  'foreignKey',
  'listPosition',
  'documentId',
  'locale',
  'inversePosition',
]);

/**
 * SQLite adds a column that may not be empty only with a default, and can't take that away: columns of this kind have one from
 * the start, so that a table is the same however it came to be. The server writes all of them itself.
 */
function withOwnDefault(column: Column): Column {
  return column.nullable || !LATER_ROLES.has(column.role) ? column : withDefault(column);
}

function columnClause(own: Column): string {
  const column = withOwnDefault(own);
  const given = column.default === undefined ? '' : ` DEFAULT ${literal(column.type, column.default)}`;
  return `${sqlName(column.name)} ${TYPES[column.type]}${column.nullable ? '' : ' NOT NULL'}${given}`;
}

function reference(key: ForeignKey | undefined): string {
  if (!key) return '';
  return `\n    CONSTRAINT ${sqlName(key.name)} REFERENCES ${sqlName(key.references)} ("id") ON DELETE ${key.onDelete === 'cascade' ? 'CASCADE' : 'SET NULL'}`;
}

/** Decimals are text, and sorted by their value. */
function sortedColumn(column: string, sort: IndexSort | undefined): string {
  const value = sort?.by === 'decimal' ? `CAST(${sqlName(column)} AS REAL)` : sqlName(column);
  return sort?.descending ? `${value} DESC` : value;
}

function createIndex(table: string, index: Index): readonly string[] {
  if (index.search) return sqliteCreateSearch(table, index);
  const { name, columns, unique, sorts = [] } = index;
  const list = columns.map((column, place) => sortedColumn(column, sorts[place])).join(', ');
  return [`CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${sqlName(name)}\n  ON ${sqlName(table)} (${list});`];
}

function createTable(table: Table): readonly string[] {
  const generated = hasGeneratedId(table);
  const clauses = table.columns.map((column) =>
    generated && column.role === 'id'
      ? '"id" integer PRIMARY KEY AUTOINCREMENT'
      : columnClause(column) + reference(table.foreignKeys.find((key) => key.column === column.name)),
  );
  const key = generated ? [] : [`PRIMARY KEY ${names(table.primaryKey)}`];
  return [
    `CREATE TABLE ${sqlName(table.name)} (\n  ${[...clauses, ...key].join(',\n  ')}\n)${generated ? '' : ' WITHOUT ROWID'};`,
    ...table.indexes.flatMap((index) => createIndex(table.name, index)),
  ];
}

function addColumn(table: string, column: Column, key?: ForeignKey): string {
  return `ALTER TABLE ${sqlName(table)}\n  ADD COLUMN ${columnClause(column)}${reference(key)};`;
}

function fill(table: string, column: string, value: string): string {
  return `UPDATE ${sqlName(table)}\n  SET ${sqlName(column)} = ${value};`;
}

function addFilled(change: Extract<Change, { kind: 'addColumn' }>): readonly string[] {
  const { table, column, foreignKey, fillFrom, fillDocument, fillWith } = change;
  const isFilled = [fillFrom, fillDocument, fillWith].some((given) => given !== undefined);
  const added = addColumn(table, isFilled && !column.nullable ? withDefault(column) : column, foreignKey);
  if (fillFrom !== undefined) return [added, fill(table, column.name, sqlName(fillFrom))];
  if (fillWith !== undefined) return [added, fill(table, column.name, sqlLiteral(fillWith))];
  if (fillDocument === undefined) return [added];
  const value = fillDocument === true ? "'d' || substr(lower(hex(randomblob(12))), 1, 23)" : sqlLiteral(fillDocument);
  return [added, fill(table, column.name, value)];
}

function fillEmpty({ table, column, from, published }: Extract<Change, { kind: 'fillEmpty' }>): string {
  const name = sqlName(column.name);
  const nothing = isRestoredById(column) ? 'CAST("id" AS text)' : literal(column.type, withDefault(column).default);
  const value = from ? sqlName(from.name) : nothing;
  const which = published ? ` AND ${sqlName(COLUMN_NAMES.publishedAt)} IS NOT NULL` : '';
  return `UPDATE ${sqlName(table)}\n  SET ${name} = ${value}\n  WHERE ${name} IS NULL${which};`;
}

function restoreColumn(step: Extract<Step, { kind: 'restoreColumn' }>): readonly string[] {
  const { table, column, foreignKey: key, fillWith } = step;
  if (column.nullable) return [addColumn(table, column, key)];
  const added = addColumn(table, withDefault(column), key);
  if (fillWith !== undefined) return [added, fill(table, column.name, sqlLiteral(fillWith))];
  return isRestoredById(column) ? [added, fill(table, column.name, 'CAST("id" AS text)')] : [added];
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

/** Stops before values are changed by a conversion. */
function guardCast({ table, from, to, cause = table }: Extract<Change, { kind: 'alterColumn' }>): readonly string[] {
  const where = misfit('sqlite', from.type, to.type, sqlName(to.name));
  if (where === undefined) return [];
  return guardRows(WRITER, { table, column: to.name, where, what: `${cause} has values that are no ${to.type}` });
}

function alterColumn(change: Extract<Change, { kind: 'alterColumn' }>): readonly string[] {
  const { table, from, to, indexes } = change;
  const guard = guardCast(change);
  const old = sqlName(to.name);
  const cast = sqliteCast(from.type, to.type, old);
  if (columnClause(from) === columnClause(to)) {
    return cast === old ? guard : [...guard, fill(table, to.name, cast)];
  }
  const spare = spareName(to.name, new Set());
  const isRequired = from.nullable && !to.nullable && to.default !== undefined;
  const value = isRequired ? `coalesce(${cast}, ${literal(to.type, withDefault(to).default)})` : cast;
  return [
    ...guard,
    ...indexes.flatMap(dropIndex),
    addColumn(table, { ...(to.nullable ? to : withDefault(to)), name: spare }),
    fill(table, spare, value),
    dropColumn(table, to.name),
    renameColumn(table, spare, to.name),
    ...indexes.flatMap((index) => createIndex(table, index)),
  ];
}

/** One step in SQLite's SQL: statements in the order in which they run. */
export function sqliteStep(step: Step): readonly string[] {
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
      return addFilled(step);
    case 'restoreColumn':
      return restoreColumn(step);
    case 'dropColumn':
      return [dropColumn(step.table, step.column.name)];
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
    case 'checkDates':
      return checkDates(WRITER, step);
    case 'checkItems':
      return checkItems(WRITER, step);
    case 'mapValues':
      return mapValues(WRITER, step);
    case 'fillEmpty':
      return [fillEmpty(step)];
    case 'keepInStep':
      return sqliteCreateSyncTriggers(step);
    case 'letApart':
      return sqliteDropSyncTriggers(step);
    case 'copyRelation':
      return copyRelation(WRITER, step);
    case 'deleteRows':
      return deleteRows(WRITER, step.table, step.rows);
    case 'editItems':
      return sqliteEditItems(step.table, step.column, step.edit);
    case 'renameItemLinks':
      return renameItemLinks(WRITER, step);
    case 'renameType':
      return renameType(WRITER, step);
    // Keys have no names of their own here, and stand with their columns.
    case 'renameForeignKey':
    case 'addForeignKey':
    case 'dropForeignKey':
    case 'describeTable':
    case 'describeColumn':
    case 'defineComponent':
    case 'addUnchecked':
    case 'validate':
    case 'settle':
    case 'setLocales':
    case 'lost':
      return [];
  }
}
