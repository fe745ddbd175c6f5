/** The form in which an engine's catalogue shows an expected table, to compare it with the table found. */
import type { DialectName } from '../../database/dialect.ts';
import {
  REQUIRED_EVENTS,
  requiredTriggerName,
  reversedIndexName,
  SEARCH_EVENTS,
  searchTriggerName,
} from '../../contract/stored-names.ts';
import { isRequiredKey } from '../../contract/migrations/planned-table.ts';
import { type Index, isTurnedIndex, type StoredColumn, type StoredType } from '../../contract/stored-table.ts';
import { textHash } from '../sum.ts';
import type { ExpectedTable } from './expected-tables.ts';

/** Type names as in the catalogue of each engine; for MySQL without the display width, which only some versions show. */
const TYPES: Readonly<Record<DialectName, Readonly<Record<StoredType, string>>>> = {
  sqlite: {
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
  },
  postgres: {
    id: 'bigint',
    string: 'character varying(255)',
    text: 'text',
    integer: 'integer',
    biginteger: 'bigint',
    float: 'double precision',
    decimal: 'numeric',
    boolean: 'boolean',
    date: 'date',
    time: 'time(3) without time zone',
    datetime: 'timestamp(3) with time zone',
    json: 'json',
    position: 'bigint',
  },
  mysql: {
    id: 'bigint',
    string: 'varchar(255)',
    text: 'longtext',
    integer: 'int',
    biginteger: 'bigint',
    float: 'double',
    decimal: 'decimal(65,30)',
    boolean: 'tinyint',
    date: 'date',
    time: 'time(3)',
    datetime: 'datetime(3)',
    json: 'longtext',
    position: 'bigint',
  },
};

/** The type of the generated column for a full-text index; SQLite has a full-text table instead. */
const SEARCH_TYPES = { postgres: 'tsvector', mysql: 'longtext' } as const;

/** An expected column. Generated columns have no `stored`. */
export interface StoredFormColumn {
  readonly name: string;
  readonly type: string;
  /** Undefined for a primary key or a generated column: then it is not compared. */
  readonly nullable: boolean | undefined;
  /** The schema's column, to compare its default; undefined for a generated column. */
  readonly stored: StoredColumn | undefined;
}

export interface StoredFormIndex {
  readonly name: string;
  readonly columns: readonly string[];
  readonly unique: boolean;
}

/** The form that a table should have on an engine. */
export interface StoredForm {
  readonly name: string;
  readonly primaryKey: readonly string[];
  readonly columns: readonly StoredFormColumn[];
  readonly indexes: readonly StoredFormIndex[];
  readonly foreignKeys: ExpectedTable['foreignKeys'];
  readonly triggers: readonly string[];
  /** The full-text tables that belong to it. */
  readonly wordTables: readonly string[];
}

/** On MySQL, a sort index on a single attribute has a second one for the opposite direction. */
function indexesOf(index: Index, dialect: DialectName): StoredFormIndex[] {
  const { name, unique, search, member } = index;
  if (search) return dialect === 'sqlite' ? [] : [{ name, columns: [name], unique: false }];
  const columns = member && dialect === 'mysql' ? [name, ...index.columns.slice(1)] : index.columns;
  const own = { name, columns, unique };
  const isTurned = dialect === 'mysql' && isTurnedIndex(index);
  return isTurned ? [own, { ...own, name: reversedIndexName(name, textHash) }] : [own];
}

/** The generated columns of an index. */
function computedColumns({ name, search, member }: Index, dialect: DialectName): readonly StoredFormColumn[] {
  const computed = (type: string): readonly StoredFormColumn[] => [
    { name, type, nullable: undefined, stored: undefined },
  ];
  if (search && dialect !== 'sqlite') return computed(SEARCH_TYPES[dialect]);
  if (member && dialect === 'mysql') return computed(TYPES.mysql[member.type === 'text' ? 'string' : member.type]);
  return [];
}

function triggersOf(table: ExpectedTable, words: readonly Index[], dialect: DialectName): readonly string[] {
  const { syncTrigger } = table;
  const ofColumns =
    dialect === 'postgres' ? [syncTrigger] : [`${syncTrigger ?? ''}_insert`, `${syncTrigger ?? ''}_update`];
  const ofWords = words.flatMap(({ name }) => SEARCH_EVENTS.map((event) => searchTriggerName(name, event)));
  const ofKeys = table.foreignKeys
    .filter((key) => table.columns.some((column) => column.name === key.column && isRequiredKey(column)))
    .flatMap(({ name }) => REQUIRED_EVENTS.map((event) => requiredTriggerName(name, event)));
  return [
    ...(syncTrigger === undefined ? [] : ofColumns.filter((name) => name !== undefined)),
    ...(dialect === 'sqlite' ? [...ofWords, ...ofKeys] : []),
  ];
}

/** The form that a table should have on an engine. */
export function storedForm(table: ExpectedTable, dialect: DialectName): StoredForm {
  const { name, primaryKey, foreignKeys } = table;
  const words = table.indexes.filter(({ search }) => search);
  const columns = table.columns.map((stored) => ({
    name: stored.name,
    type: TYPES[dialect][stored.type],
    nullable: primaryKey.includes(stored.name)
      ? undefined
      : stored.nullable || (dialect === 'sqlite' && isRequiredKey(stored)),
    stored,
  }));
  const computed = table.indexes.flatMap((index) => computedColumns(index, dialect));
  return {
    name,
    primaryKey,
    columns: [...columns, ...computed],
    indexes: table.indexes.flatMap((index) => indexesOf(index, dialect)),
    foreignKeys,
    triggers: triggersOf(table, words, dialect),
    wordTables: dialect === 'sqlite' ? words.map((index) => index.name) : [],
  };
}
