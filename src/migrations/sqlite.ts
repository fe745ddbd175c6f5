/** Changes as SQLite makes them. Foreign keys stay on: no step rebuilds a table. */
import type { Column, ColumnType, ForeignKey, Index, Table } from '../storage/storage-model.ts';
import type { Change } from './change.ts';
import type { StepSql } from './step.ts';
import { sqlLiteral, sqlName } from './sql-text.ts';

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
  return `${sqlName(column.name)} ${TYPES[column.type]}${column.nullable ? '' : ' NOT NULL'}${given}`;
}

function reference(key: ForeignKey): string {
  return `REFERENCES ${sqlName(key.references)} ("id") ON DELETE ${key.onDelete === 'cascade' ? 'CASCADE' : 'SET NULL'}`;
}

function createIndex(table: string, { name, columns, unique }: Index): string {
  return `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${sqlName(name)}\n  ON ${sqlName(table)} ${names(columns)};`;
}

function createTable(table: Table): readonly string[] {
  const generated = table.primaryKey.join() === 'id';
  const clauses = [
    ...table.columns.map((column) =>
      generated && column.name === 'id' ? '"id" integer PRIMARY KEY AUTOINCREMENT' : columnClause(column),
    ),
    ...(generated ? [] : [`PRIMARY KEY ${names(table.primaryKey)}`]),
    ...table.foreignKeys.map(
      (key) => `CONSTRAINT ${sqlName(key.name)} FOREIGN KEY ${names([key.column])} ${reference(key)}`,
    ),
  ];
  return [
    `CREATE TABLE ${sqlName(table.name)} (\n  ${clauses.join(',\n  ')}\n)${generated ? '' : ' WITHOUT ROWID'};`,
    ...table.indexes.map((index) => createIndex(table.name, index)),
  ];
}

function dropTable(table: Table): readonly string[] {
  return [`DROP TABLE ${sqlName(table.name)};`];
}

function addColumn(change: Extract<Change, { kind: 'addColumn' | 'dropColumn' }>): readonly string[] {
  const { table, column, foreignKey: key } = change;
  const target = key ? `\n  CONSTRAINT ${sqlName(key.name)} ${reference(key)}` : '';
  const fill = change.kind === 'addColumn' ? change.fillFrom : undefined;
  return [
    `ALTER TABLE ${sqlName(table)}\n  ADD COLUMN ${columnClause(column)}${target};`,
    ...(fill === undefined ? [] : [`UPDATE ${sqlName(table)}\n  SET ${sqlName(column.name)} = ${sqlName(fill)};`]),
  ];
}

function dropColumn(table: string, column: Column): readonly string[] {
  return [`ALTER TABLE ${sqlName(table)}\n  DROP COLUMN ${sqlName(column.name)};`];
}

function dropIndex(index: Index): readonly string[] {
  return [`DROP INDEX ${sqlName(index.name)};`];
}

/** One change in SQLite's SQL. */
export function sqliteStep(change: Change): StepSql {
  switch (change.kind) {
    case 'createTable':
      return { about: change.table.origin, up: createTable(change.table), down: dropTable(change.table) };
    case 'dropTable':
      return { about: change.table.origin, up: dropTable(change.table), down: createTable(change.table) };
    case 'addColumn':
      return {
        about: `${change.table}.${change.column.name}`,
        up: addColumn(change),
        down: dropColumn(change.table, change.column),
      };
    case 'dropColumn':
      return {
        about: `${change.table}.${change.column.name}`,
        up: dropColumn(change.table, change.column),
        down: addColumn(change),
      };
    case 'createIndex':
      return { about: change.table, up: [createIndex(change.table, change.index)], down: dropIndex(change.index) };
    case 'dropIndex':
      return { about: change.table, up: dropIndex(change.index), down: [createIndex(change.table, change.index)] };
  }
}
