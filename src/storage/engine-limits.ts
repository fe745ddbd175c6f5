/** Finds tables that exceed the limits of an engine of the project. */
import { MAX_SHORT_LENGTH } from '#contract/attribute-types/attribute-type.ts';
import type { Diagnostic, SourceLocation } from '../diagnostics/diagnostic.ts';
import type { ContentModel, Dialect } from '../model/content-model.ts';
import { originOf } from './table-origin.ts';
import type { ColumnType, StorageModel, Table } from './storage-model.ts';

interface Limits {
  readonly engine: string;
  readonly columns: number;
  /** Without the primary key. */
  readonly indexes: number;
  /** In bytes, for the inline part of a row; long text is stored elsewhere. */
  readonly row: number;
  /** In bytes, for an index entry. */
  readonly key: number;
  /** The bytes of a locale in an index entry: MySQL counts the declared length of its column. */
  readonly locale: number;
}

const LIMITS: Readonly<Record<Dialect, Limits>> = {
  sqlite: { engine: 'SQLite', columns: 2000, indexes: Infinity, row: Infinity, key: Infinity, locale: 0 },
  postgres: { engine: 'PostgreSQL', columns: 1600, indexes: Infinity, row: Infinity, key: 2700, locale: 64 },
  mysql: { engine: 'MySQL', columns: 1017, indexes: 63, row: 65_535, key: 3072, locale: 4 * MAX_SHORT_LENGTH },
};

/** Bytes that MySQL counts for a column; for long text, the size of its pointer. */
const ROW_BYTES: Readonly<Record<ColumnType, number>> = {
  id: 8,
  string: 4 * 255 + 2,
  text: 12,
  integer: 4,
  biginteger: 8,
  float: 8,
  decimal: 30,
  boolean: 1,
  date: 3,
  time: 5,
  datetime: 7,
  json: 12,
  position: 8,
};

/** Bytes of a short string in an index entry: its maximum length. */
const STRING_BYTES = 4 * MAX_SHORT_LENGTH;

/** The number of indexes that sort by one attribute: MySQL needs two indexes for each. */
function singleAttributeIndexes({ indexes }: Table): number {
  return indexes.filter(({ sorts }) => sorts?.length === 1).length;
}

/** Indexes whose entries exceed the engine's limit. */
function longKeys({ columns, indexes }: Table, limits: Limits): readonly string[] {
  const byName = new Map(columns.map((column) => [column.name, column]));
  return indexes.flatMap((index) => {
    if (index.search) return [];
    const sizes = index.columns.map((name) => {
      const { type, role } = byName.get(name) ?? { type: 'id', role: 'other' };
      if (role === 'locale') return limits.locale;
      return type === 'string' ? STRING_BYTES : ROW_BYTES[type];
    });
    const size = sizes.reduce((sum, bytes) => sum + bytes, 0);
    if (size <= limits.key) return [];
    return [`${size} bytes in the index of ${index.columns.join(', ')} (at most ${limits.key})`];
  });
}

function exceeded(table: Table, limits: Limits): readonly string[] {
  const row = table.columns.reduce((bytes, { type }) => bytes + ROW_BYTES[type], table.columns.length / 8);
  const measures = [
    { size: table.columns.length, limit: limits.columns, what: 'columns' },
    { size: table.indexes.length + singleAttributeIndexes(table), limit: limits.indexes, what: 'indexes' },
    { size: Math.ceil(row), limit: limits.row, what: 'bytes in a row' },
  ];
  return [
    ...measures
      .filter(({ size, limit }) => size > limit)
      .map(({ size, limit, what }) => `${size} ${what} (at most ${limit})`),
    ...longKeys(table, limits),
  ];
}

/** Errors for tables that one of the project's databases would refuse to create. */
export function findExceededLimits(model: ContentModel, storage: StorageModel): readonly Diagnostic[] {
  const locations = new Map<string, SourceLocation>(model.contentTypes.map(({ uid, location }) => [uid, location]));
  return storage.tables.flatMap((table) => {
    const location = locations.get(table.kind === 'type' ? table.uid : '');
    return model.databases.flatMap((dialect) => {
      const limits = LIMITS[dialect];
      return exceeded(table, limits).map((excess): Diagnostic => ({
        code: 'storage/too-large',
        severity: 'error',
        message: `the table '${table.name}' of '${originOf(table)}' would have ${excess} on ${limits.engine}`,
        ...(location ? { location } : {}),
        hint: `Move attributes to a component or another type, remove text attributes from long indexes, or remove ${dialect} from 'databases'.`,
      }));
    });
  });
}
