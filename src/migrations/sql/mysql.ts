/** The SQL of steps for MySQL and MariaDB, which commit each statement separately. */
import { COLUMN_NAMES } from '#contract/column-names.ts';
import { isRequiredKey } from '#contract/migrations/planned-table.ts';
import { reversedIndexName } from '#contract/stored-names.ts';
import { type IndexMember, isComputed, isTurnedIndex } from '#contract/stored-table.ts';
import { hashText } from '../../files/hash.ts';
import type { Column, ColumnType, ForeignKey, Index, Table } from '../../storage/storage-model.ts';
import { hasGeneratedId } from '../../storage/table-origin.ts';
import { mysqlCast } from './cast.ts';
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
import { mysqlCreateSyncTriggers, mysqlDropSyncTriggers } from './sync-triggers.ts';
import { mysqlEditItems, mysqlItemIds, mysqlItemValues } from './text/mysql-items.ts';
import { mysqlMember } from './member-sql.ts';
import { mysqlCreateSearch, mysqlDropSearch } from './search-sql.ts';
import { type Fill, fillAtOnce, fillInBatches } from './fill-sql.ts';
import { isFilled, keyOfFill } from '../plan/batched.ts';
import { isRestoredById, withDefault } from '../plan/placeholder.ts';
import { spareName } from '../diff/rename-order.ts';
import type { Step } from '../plan/step.ts';
import { mysqlLiteral, mysqlName, sqlComment } from './text/sql-text.ts';
import type { SqlLine } from './sql-line.ts';
import type { SqlWriter } from './sql-writer.ts';

const WRITER: SqlWriter = {
  id: mysqlName,
  text: mysqlLiteral,
  concat: (...parts) => `CONCAT(${parts.join(', ')})`,
  itemIds: mysqlItemIds,
  itemValues: mysqlItemValues,
  editItems: mysqlEditItems,
  updateFrom: ({ table, set, rows, where }) => `UPDATE ${rows}\n  JOIN ${mysqlName(table)} ON ${where}\n  SET ${set};`,
  copiesToUpdate: true,
};

/** JSON is stored as `longtext`: MySQL's type `json` reorders members, and MariaDB's is an alias of `longtext`. */
const TYPES: Readonly<Record<ColumnType, string>> = {
  id: 'bigint',
  string: 'varchar(255)',
  text: 'longtext',
  integer: 'int',
  biginteger: 'bigint',
  float: 'double',
  decimal: 'decimal(65,30)',
  boolean: 'boolean',
  date: 'date',
  time: 'time(3)',
  datetime: 'datetime(3)',
  json: 'longtext',
  position: 'bigint',
};

/**
 * Text is compared by its exact characters, as on the other engines, including trailing spaces, which `utf8mb4_bin` ignores.
 * MariaDB and MySQL have different names for that collation; each executes only the comment for it.
 */
const TABLE_OPTIONS =
  'ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */';

function names(list: readonly string[]): string {
  return `(${list.map(mysqlName).join(', ')})`;
}

function literal(type: ColumnType, value: string | number | boolean): string {
  switch (type) {
    case 'text':
    case 'json':
      // Long text columns support only expressions as defaults.
      return `(${mysqlLiteral(String(value))})`;
    case 'datetime':
      return mysqlLiteral(String(value).replace('T', ' ').replace('Z', ''));
    case 'string':
    case 'date':
    case 'time':
      return mysqlLiteral(String(value));
    case 'boolean':
      return value === true ? '1' : '0';
    case 'id':
    case 'integer':
    case 'biginteger':
    case 'float':
    case 'decimal':
    case 'position':
      return String(value);
  }
}

function columnClause(column: Column): string {
  const given = column.default === undefined ? '' : ` DEFAULT ${literal(column.type, column.default)}`;
  return `${mysqlName(column.name)} ${TYPES[column.type]}${column.nullable ? '' : ' NOT NULL'}${given}`;
}

function foreignKeyClause(key: ForeignKey): string {
  return `CONSTRAINT ${mysqlName(key.name)} FOREIGN KEY ${names([key.column])} REFERENCES ${mysqlName(key.references)} (\`id\`) ${onDelete(key)}`;
}

interface Key {
  readonly name: string;
  readonly unique: string;
  readonly list: string;
}

function keyOf(index: Index, name: string, reversed = false): Key {
  const { unique, sorts = [] } = index;
  const isDescending = (place: number): boolean => sorts[place] !== undefined && (sorts[place].descending ?? reversed);
  // The generated column of a component member has the name of the index.
  const columns = index.member ? [index.name, ...index.columns.slice(1)] : index.columns;
  const list = columns.map((column, place) => `${mysqlName(column)}${isDescending(place) ? ' DESC' : ''}`);
  return { name, unique: unique ? 'UNIQUE ' : '', list: list.join(', ') };
}

/**
 * The keys of an index. An index that sorts by one attribute needs two: entries with equal values are sorted by ascending id in both
 * directions, and the engine can't read only a part of a key backwards.
 */
function keysOf(index: Index): readonly Key[] {
  const { name } = index;
  const isTurned = isTurnedIndex(index);
  return [keyOf(index, name), ...(isTurned ? [keyOf(index, reversedIndexName(name, hashText), true)] : [])];
}

function createTable(table: Table): readonly string[] {
  const generated = hasGeneratedId(table);
  const clauses = [
    ...table.columns.map((column) =>
      generated && column.role === 'id' ? '`id` bigint NOT NULL AUTO_INCREMENT' : columnClause(column),
    ),
    `PRIMARY KEY ${names(table.primaryKey)}`,
    ...table.indexes
      .filter((index) => !isComputed(index))
      .flatMap(keysOf)
      .map(({ name, unique, list }) => `${unique}KEY ${mysqlName(name)} (${list})`),
    ...table.foreignKeys.map(foreignKeyClause),
  ];
  return [
    `CREATE TABLE ${mysqlName(table.name)} (\n  ${clauses.join(',\n  ')}\n) ${TABLE_OPTIONS};`,
    ...table.indexes.flatMap((index) => (isComputed(index) ? createIndex(table.name, index) : [])),
  ];
}

function alter(table: string, ...clauses: readonly string[]): string {
  return `ALTER TABLE ${mysqlName(table)}\n  ${clauses.join(',\n  ')};`;
}

/** The generated column is STORED: for a virtual one, MariaDB returns NULL when it sorts by reading only the index. */
function addMember(table: string, { name, columns }: Index, member: IndexMember): string {
  const value = mysqlMember(columns[0] ?? '', member);
  const type = TYPES[member.type === 'text' ? 'string' : member.type];
  return alter(
    table,
    `ADD COLUMN ${mysqlName(name)} ${type} GENERATED ALWAYS AS (\n      ${value}\n    ) STORED INVISIBLE`,
  );
}

function createIndex(table: string, index: Index): readonly string[] {
  if (index.search) return mysqlCreateSearch(table, index);
  const keys = keysOf(index).map(
    ({ name, unique, list }) => `CREATE ${unique}INDEX ${mysqlName(name)}\n  ON ${mysqlName(table)} (${list});`,
  );
  return [...(index.member ? [addMember(table, index, index.member)] : []), ...keys];
}

function dropIndex(table: string, index: Index): readonly string[] {
  if (index.search) return mysqlDropSearch(table, index);
  const keys = keysOf(index).map(({ name }) => `DROP INDEX ${mysqlName(name)}\n  ON ${mysqlName(table)};`);
  return [...keys, ...(index.member ? [alter(table, `DROP COLUMN ${mysqlName(index.name)}`)] : [])];
}

function renameIndex({ table, from, index }: Extract<Step, { kind: 'renameIndex' }>): string {
  const now = keysOf(index);
  const before = keysOf({ ...index, name: from });
  const renames = now.map(
    ({ name }, at) => `RENAME INDEX ${mysqlName(before[at]?.name ?? from)} TO ${mysqlName(name)}`,
  );
  return alter(table, ...renames);
}

function addForeignKey(table: string, key: ForeignKey): string {
  return alter(table, `ADD ${foreignKeyClause(key)}`);
}

function dropForeignKey(table: string, name: string): string {
  return alter(table, `DROP FOREIGN KEY ${mysqlName(name)}`);
}

function addColumn(table: string, column: Column): string {
  return alter(table, `ADD COLUMN ${columnClause(column)}`);
}

/** Fills the rows of a column for which `isEmpty` holds. */
function fillRows(
  table: string,
  column: string,
  isEmpty: string,
  fill: Pick<Fill, 'value' | 'key'>,
): readonly SqlLine[] {
  return fillInBatches(mysqlName, { table, column, where: `${mysqlName(column)} ${isEmpty}`, ...fill });
}

/** The id of a row, as a value of a column. */
function idAs({ type }: Column): string {
  return mysqlCast('integer', type, '`id`');
}

function fillEmpty(step: Extract<Step, { kind: 'fillEmpty' }>): readonly SqlLine[] {
  const { table, column, from, published } = step;
  const nothing = isRestoredById(column) ? idAs(column) : literal(column.type, withDefault(column).default);
  const value = from ? mysqlName(from.name) : nothing;
  const which = published ? ` AND ${mysqlName(COLUMN_NAMES.publishedAt)} IS NOT NULL` : '';
  if (isFilled(step, 'mysql')) return fillRows(table, column.name, `IS NULL${which}`, { value });
  return [
    fillAtOnce(mysqlName, { table, column: column.name, value, where: `${mysqlName(column.name)} IS NULL${which}` }),
  ];
}

/** Adds a column, fills it, and then makes it NOT NULL if required. */
function addFilled(table: string, column: Column, fill: Pick<Fill, 'value' | 'key'>): readonly SqlLine[] {
  const required = column.nullable ? [] : [alter(table, `MODIFY COLUMN ${columnClause(column)}`)];
  // The default, which servers of the previous version rely on, is also what existing rows get.
  const isEmpty = column.default === undefined ? 'IS NULL' : `= ${literal(column.type, column.default)}`;
  return [addColumn(table, { ...column, nullable: true }), ...fillRows(table, column.name, isEmpty, fill), ...required];
}

/** Adds a column with the same value for all existing rows: by a temporary default, which rewrites no rows. */
function addWithValue(table: string, column: Column, value: string | number | boolean): readonly string[] {
  return [
    addColumn(table, { ...column, default: value }),
    alter(table, `ALTER COLUMN ${mysqlName(column.name)} DROP DEFAULT`),
  ];
}

function addWithText(table: string, column: Column, text: string): readonly SqlLine[] {
  return column.nullable ? addFilled(table, column, { value: mysqlLiteral(text) }) : addWithValue(table, column, text);
}

function addSteps(step: Extract<Step, { kind: 'addColumn' }>): readonly SqlLine[] {
  const { table, column, fillFrom, fillDocument, fillWith } = step;
  if (fillFrom !== undefined) {
    return addFilled(table, column, { value: mysqlName(fillFrom), ...keyOfFill(step) });
  }
  const text = fillWith ?? (typeof fillDocument === 'string' ? fillDocument : undefined);
  if (text !== undefined) return addWithText(table, column, text);
  if (fillDocument === undefined) return [addColumn(table, column)];
  return addFilled(table, column, { value: "CONCAT('d', SUBSTR(MD5(CONCAT(UUID(), RAND())), 1, 23))" });
}

function restoreColumn(step: Extract<Step, { kind: 'restoreColumn' }>): readonly SqlLine[] {
  const { table, column, fillFrom, fillWith } = step;
  if (fillFrom !== undefined) return addFilled(table, column, { value: mysqlName(fillFrom) });
  if (fillWith !== undefined) return addWithText(table, column, fillWith);
  if (column.nullable || column.default !== undefined || isRequiredKey(column)) return [addColumn(table, column)];
  if (isRestoredById(column)) return addFilled(table, column, { value: idAs(column) });
  return addWithValue(table, column, withDefault(column).default);
}

/** Types that the engine converts by itself without changing values. */
const CONVERTED: ReadonlySet<string> = new Set([
  'string text',
  'integer biginteger',
  'integer decimal',
  'integer float',
  'biginteger decimal',
]);

function isConverted(from: ColumnType, to: ColumnType): boolean {
  return from === to || CONVERTED.has(`${from} ${to}`) || CONVERTED.has(`${to} ${from}`);
}

/** Converts values by an expression, into a new column that replaces the old one. */
function convertColumn(step: Extract<Step, { kind: 'alterColumn' }>): readonly string[] {
  const { table, from, to, indexes } = step;
  const spare = spareName(to.name, new Set());
  return [
    addColumn(table, { ...to, nullable: true, name: spare }),
    `UPDATE ${mysqlName(table)}\n  SET ${mysqlName(spare)} = ${mysqlCast(from.type, to.type, mysqlName(to.name))};`,
    ...indexes.flatMap((index) => dropIndex(table, index)),
    alter(table, `DROP COLUMN ${mysqlName(to.name)}`),
    alter(table, `CHANGE COLUMN ${mysqlName(spare)} ${columnClause({ ...to, nullable: true })}`),
    ...indexes.flatMap((index) => createIndex(table, index)),
  ];
}

/** Computed indexes of a column are dropped before it changes, and recreated afterwards. */
function alterColumn(step: Extract<Step, { kind: 'alterColumn' }>): readonly SqlLine[] {
  const computed = step.indexes.filter(isComputed);
  const rest = { ...step, indexes: step.indexes.filter((index) => !isComputed(index)) };
  return [
    ...computed.flatMap((index) => dropIndex(step.table, index)),
    ...alterOwn(rest),
    ...computed.flatMap((index) => createIndex(step.table, index)),
  ];
}

function alterOwn(step: Extract<Step, { kind: 'alterColumn' }>): readonly SqlLine[] {
  const { table, from, to } = step;
  const isRequired = from.nullable && !to.nullable && to.default !== undefined;
  const backfill = isRequired ? fillEmpty({ kind: 'fillEmpty', table, column: to }) : [];
  const modify = (nullable: boolean): string => alter(table, `MODIFY COLUMN ${columnClause({ ...to, nullable })}`);
  if (!isConverted(from.type, to.type)) {
    return [...convertColumn(step), ...backfill, ...(to.nullable ? [] : [modify(false)])];
  }
  return isRequired && from.type !== to.type
    ? [modify(true), ...backfill, modify(false)]
    : [...backfill, modify(to.nullable)];
}

/** The statements of a step for MySQL and MariaDB, in execution order. */
export function mysqlStep(step: Step): readonly SqlLine[] {
  switch (step.kind) {
    case 'createTable':
      return createTable(step.table);
    case 'dropTable':
      return [`DROP TABLE ${mysqlName(step.table.name)};`];
    case 'renameTable':
      return [`RENAME TABLE ${mysqlName(step.from)} TO ${mysqlName(step.to)};`];
    case 'addColumn':
      return addSteps(step);
    case 'restoreColumn':
      return restoreColumn(step);
    case 'dropColumn':
      return [alter(step.table, `DROP COLUMN ${mysqlName(step.column.name)}`)];
    case 'renameColumn':
      return [alter(step.table, `RENAME COLUMN ${mysqlName(step.from)} TO ${mysqlName(step.to)}`)];
    case 'alterColumn':
      return alterColumn(step);
    case 'createIndex':
      return createIndex(step.table, step.index);
    case 'dropIndex':
      return dropIndex(step.table, step.index);
    case 'renameIndex':
      return [renameIndex(step)];
    case 'addForeignKey':
      return [addForeignKey(step.table, step.foreignKey)];
    case 'dropForeignKey':
      return [dropForeignKey(step.table, step.foreignKey.name)];
    case 'renameForeignKey':
      return [dropForeignKey(step.table, step.from), addForeignKey(step.table, step.foreignKey)];
    case 'checkValues':
      return checkValues(WRITER, step);
    case 'checkMembers':
      return checkMembers(WRITER, 'mysql', step);
    case 'checkRows':
      return checkRows(WRITER, 'mysql', step);
    case 'checkItems':
      return checkItems(WRITER, step);
    case 'checkRequired':
      return checkRequired(WRITER, step);
    case 'mapValues':
      return fillInBatches(mysqlName, mappedValues(WRITER, step));
    case 'fillEmpty':
      return fillEmpty(step);
    case 'createSyncTriggers':
      return mysqlCreateSyncTriggers(step);
    case 'dropSyncTriggers':
      return mysqlDropSyncTriggers(step);
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
      return [sqlComment(describeEdit(step.column, step.edit)), ...mysqlEditItems(step.table, step.column, step.edit)];
    case 'renameItemLinks':
      return renameItemLinks(WRITER, step);
    case 'renameRecords':
      return renameRecords(WRITER, step);
    case 'renameType':
      return renameType(WRITER, step);
    case 'relabelTable':
    case 'relabelColumn':
    case 'defineComponent':
    case 'addUnchecked':
    case 'validate':
    case 'setNotNull':
    case 'fillRanges':
    case 'fillRest':
    case 'setLocales':
    case 'lost':
      return [];
  }
}
