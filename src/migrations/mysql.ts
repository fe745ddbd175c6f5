/** Changes as MySQL and MariaDB make them. Each statement commits on its own there. */
import type { Column, ColumnType, ForeignKey, Index, Table } from '../storage/storage-model.ts';
import type { Step, StepSql } from './step.ts';
import { mysqlLiteral, mysqlName } from './sql-text.ts';

/** JSON is `longtext`: the type `json` of MySQL gives members back in another order, that of MariaDB is `longtext`. */
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

/** Text is compared by its exact characters, as on the other engines. */
const TABLE_OPTIONS = 'ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_bin';

function names(list: readonly string[]): string {
  return `(${list.map(mysqlName).join(', ')})`;
}

function literal(type: ColumnType, value: string | number | boolean): string {
  switch (type) {
    case 'text':
    case 'json':
      // Long text takes its default only as an expression.
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
  const action = key.onDelete === 'cascade' ? 'CASCADE' : 'SET NULL';
  return `CONSTRAINT ${mysqlName(key.name)} FOREIGN KEY ${names([key.column])} REFERENCES ${mysqlName(key.references)} (\`id\`) ON DELETE ${action}`;
}

function createTable(table: Table): readonly string[] {
  const generated = table.primaryKey.join() === 'id';
  const clauses = [
    ...table.columns.map((column) =>
      generated && column.name === 'id' ? '`id` bigint NOT NULL AUTO_INCREMENT' : columnClause(column),
    ),
    `PRIMARY KEY ${names(table.primaryKey)}`,
    ...table.indexes.map(
      ({ name, columns, unique }) => `${unique ? 'UNIQUE ' : ''}KEY ${mysqlName(name)} ${names(columns)}`,
    ),
    ...table.foreignKeys.map(foreignKeyClause),
  ];
  return [`CREATE TABLE ${mysqlName(table.name)} (\n  ${clauses.join(',\n  ')}\n) ${TABLE_OPTIONS};`];
}

function dropTable(table: Table): readonly string[] {
  return [`DROP TABLE ${mysqlName(table.name)};`];
}

function createIndex(table: string, { name, columns, unique }: Index): readonly string[] {
  return [`CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${mysqlName(name)}\n  ON ${mysqlName(table)} ${names(columns)};`];
}

function dropIndex(table: string, index: Index): readonly string[] {
  return [`DROP INDEX ${mysqlName(index.name)}\n  ON ${mysqlName(table)};`];
}

function addForeignKey(table: string, key: ForeignKey): readonly string[] {
  return [`ALTER TABLE ${mysqlName(table)}\n  ADD ${foreignKeyClause(key)};`];
}

function dropForeignKey(table: string, key: ForeignKey): readonly string[] {
  return [`ALTER TABLE ${mysqlName(table)}\n  DROP FOREIGN KEY ${mysqlName(key.name)};`];
}

function addColumn(step: Extract<Step, { kind: 'addColumn' | 'dropColumn' }>): readonly string[] {
  const { table, column, foreignKey } = step;
  const fill = step.kind === 'addColumn' ? step.fillFrom : undefined;
  return [
    `ALTER TABLE ${mysqlName(table)}\n  ADD COLUMN ${columnClause(column)};`,
    ...(fill === undefined
      ? []
      : [`UPDATE ${mysqlName(table)}\n  SET ${mysqlName(column.name)} = ${mysqlName(fill)};`]),
    ...(foreignKey ? addForeignKey(table, foreignKey) : []),
  ];
}

function dropColumn(step: Extract<Step, { kind: 'addColumn' | 'dropColumn' }>): readonly string[] {
  const { table, column, foreignKey } = step;
  return [
    ...(foreignKey ? dropForeignKey(table, foreignKey) : []),
    `ALTER TABLE ${mysqlName(table)}\n  DROP COLUMN ${mysqlName(column.name)};`,
  ];
}

/** One step in the SQL of MySQL and MariaDB. */
export function mysqlStep(step: Step): StepSql {
  switch (step.kind) {
    case 'createTable':
      return { about: step.table.origin, up: createTable(step.table), down: dropTable(step.table) };
    case 'dropTable':
      return { about: step.table.origin, up: dropTable(step.table), down: createTable(step.table) };
    case 'addColumn':
      return { about: `${step.table}.${step.column.name}`, up: addColumn(step), down: dropColumn(step) };
    case 'dropColumn':
      return { about: `${step.table}.${step.column.name}`, up: dropColumn(step), down: addColumn(step) };
    case 'createIndex':
      return { about: step.table, up: createIndex(step.table, step.index), down: dropIndex(step.table, step.index) };
    case 'dropIndex':
      return { about: step.table, up: dropIndex(step.table, step.index), down: createIndex(step.table, step.index) };
    case 'addForeignKey':
      return {
        about: `${step.table}.${step.foreignKey.column}`,
        up: addForeignKey(step.table, step.foreignKey),
        down: dropForeignKey(step.table, step.foreignKey),
      };
  }
}
