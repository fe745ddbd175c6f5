/** SQL in hints, for the databases of the project: they quote names, count characters and read JSON in different ways. */
import { MAX_SHORT_LENGTH } from '#contract/attribute-types/attribute-type.ts';
import type { ItemPlace } from '#contract/migrations/items-edit.ts';
import type { Dialect } from '../../../model/content-model.ts';
import { ENGINE_NAMES } from '../../../storage/engine-names.ts';
import { mysqlItemValues } from './mysql-items.ts';
import { postgresItemValues } from './postgres-items.ts';
import { mysqlLiteral, mysqlName, sqlLiteral, sqlName } from './sql-text.ts';
import { sqliteItemValues } from './sqlite-items.ts';

/** The parts of queries in which databases differ. */
export interface HintWriter {
  /** A quoted name. */
  readonly id: (name: string) => string;
  /** A quoted text literal. */
  readonly text: (value: string) => string;
  /** The condition on text that is too long for an index. */
  readonly isLong: (value: string) => string;
  /** A query for the values of a member of component items, as `value`; `id` is the row's id. */
  readonly itemValues: (table: string, place: ItemPlace, member: string) => string;
}

const STANDARD = {
  id: sqlName,
  text: sqlLiteral,
  isLong: (value: string) => `length(${value}) > ${MAX_SHORT_LENGTH}`,
};

const WRITERS: Readonly<Record<Dialect, HintWriter>> = {
  sqlite: { ...STANDARD, itemValues: sqliteItemValues },
  postgres: { ...STANDARD, itemValues: postgresItemValues },
  mysql: {
    id: mysqlName,
    text: mysqlLiteral,
    isLong: (value) => `char_length(${value}) > ${MAX_SHORT_LENGTH}`,
    itemValues: mysqlItemValues,
  },
};

/** A query for hints. */
export type HintQuery = (writer: HintWriter) => string;

/**
 * A hint with a query between two sentences, each without its full stop: on the same line if it is the same for all databases of the
 * project, and otherwise with a line for each database.
 */
export function hintWithQuery(databases: readonly Dialect[], intro: string, query: HintQuery, rest?: string): string {
  const byText = new Map<string, string[]>();
  for (const dialect of databases) {
    const text = query(WRITERS[dialect]);
    byText.set(text, [...(byText.get(text) ?? []), ENGINE_NAMES[dialect]]);
  }
  const [only] = byText.keys();
  if (byText.size === 1) return `${intro}: ${only}${rest === undefined ? '' : `. ${rest}`}`;
  const lines = [...byText].map(([text, names]) => `${names.join(' and ')}: ${text}`);
  return [`${intro}:`, ...lines, ...(rest === undefined ? [] : [rest])].join('\n');
}
