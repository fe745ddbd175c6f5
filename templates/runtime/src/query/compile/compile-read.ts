/** The statements for one entry, by key or of a single type. */
import type { Executor } from '../../database/executor.ts';
import type { Row } from '../../database/statement-runner.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { NewId } from '../../database/new-id.ts';
import { join, sql, type Sql } from '../../database/sql.ts';
import { type ReadEntry, versionTag } from '../version-tag.ts';
import type { EntrySelection, LocaleFilter, ReadQuery } from '../read-query.ts';
import { compilePopulation } from './compile-population.ts';
import { entryLevel, type EntryLevel } from './compile-level.ts';
import { type Compiler, createCompiler } from './compiler.ts';
import { entrySerializer } from './entry-serializer.ts';
import type { DeferredList, ListBounds } from './list-bounds.ts';
import { entryConditions, localeConditions, rootConditions, rootRows } from './root-rows.ts';
import type { TableRows } from './rows.ts';

/** A statement for one entry. `statement(id)` binds its id, which may be that of a row yet to be inserted, or its document id. */
export interface EntryStatement {
  readonly text: string;
  statement(id: number | string | NewId): Sql;
  /** The entry in a row of the statement, or of `returning`. */
  entryOf(row: Row): ReadEntry;
  /**
   * Columns for the RETURNING of a statement that writes the entry's row, with the same result. Undefined if the row alone is not
   * enough.
   */
  readonly returning: Sql | undefined;
  /**
   * Set if the row does not contain all of the entry: reads the rest in the same transaction. Throws BadRequestError if the entry
   * would be too large.
   */
  readonly complete?: (executor: Executor, row: Row) => Promise<ReadEntry>;
}

export interface SingleStatement extends Pick<EntryStatement, 'entryOf'> {
  readonly statement: Sql;
}

/** A statement for an entry whose lists are read by later statements. */
export interface ShallowStatement {
  readonly statement: Sql;
  readonly level: EntryLevel;
  versionOf(row: Row): number;
}

/** Selects only the version of an entry, for clients that have it already; no row if the entry is not found. */
export interface VersionStatement {
  statement(id: number | string): Sql;
  versionOf(row: Row): number;
  tagOf(row: Row): string | undefined;
}

function withId(before: Sql, after: Sql): Pick<EntryStatement, 'text' | 'statement'> {
  const text = `${before.text}?${after.text}`;
  return { text, statement: (id) => ({ text, params: [...before.params, id, ...after.params] }) };
}

function returningOf(compiler: Compiler, entry: EntrySelection): Sql | undefined {
  if (entry.populate.length > 0 || entry.type.localized) return undefined;
  // Not every engine allows an alias in RETURNING.
  const table = compiler.dialect.id(entry.type.table);
  const { columns, nameOf } = entrySerializer(compiler, entry, { kind: 'table', alias: table, type: entry.type });
  return sql`${columns}, ${versionTag(compiler.dialect, entry, table, nameOf).columns}`;
}

/** The columns of an entry and its version, and the conversion of a row. */
function versionedAnswer(
  compiler: Compiler,
  entry: EntrySelection,
  rows: TableRows,
): { readonly columns: Sql; entryOf(row: Row): ReadEntry } {
  const { columns, textOf, nameOf } = entrySerializer(compiler, entry, rows);
  const { columns: version, versionOf, tagOf } = versionTag(compiler.dialect, entry, rows.alias, nameOf);
  return {
    columns: sql`${columns}, ${version}`,
    entryOf: (row) => ({ text: textOf(row), version: versionOf(row), tag: tagOf(row) }),
  };
}

/** The locale, if the entry is looked up by document id. */
type OfDocument = LocaleFilter | undefined;

function keyColumn(rows: TableRows, ofDocument: OfDocument): Sql {
  return ofDocument ? sql`${rows.alias}.document_id` : sql`${rows.alias}.id`;
}

/** The conditions besides the key, each preceded by `AND`. */
function furtherConditions(
  compiler: Compiler,
  query: ReadQuery,
  rows: TableRows,
  { anyState, ofDocument }: { readonly anyState: boolean; readonly ofDocument: OfDocument },
): Sql {
  const conditions = [
    ...(ofDocument ? localeConditions(ofDocument, rows) : []),
    ...(anyState ? [] : entryConditions(compiler, query, rows)),
  ];
  return join(
    conditions.map((condition) => sql` AND ${condition}`),
    '',
  );
}

/**
 * Selects an entry by its key; no row if there is none. `anyState`: includes drafts and ignores the filter, for an entry that was
 * just written.
 */
export function compileOne(
  dialect: Dialect,
  query: ReadQuery,
  how: { readonly anyState: boolean; readonly bounds: ListBounds | undefined; readonly ofDocument: OfDocument },
): EntryStatement {
  const compiler = createCompiler(dialect, compilePopulation, how.bounds);
  const { rows, from } = rootRows(compiler, query.entry);
  const { columns, entryOf } = versionedAnswer(compiler, query.entry, rows);
  const before = sql`SELECT ${columns} FROM ${from} WHERE ${keyColumn(rows, how.ofDocument)} = `;
  const select = withId(before, furtherConditions(compiler, query, rows, how));
  return { ...select, entryOf, returning: how.anyState ? returningOf(compiler, query.entry) : undefined };
}

/** Selects the entry of a single type; no row if there is none. */
export function compileSingle(
  dialect: Dialect,
  query: ReadQuery,
  locale: LocaleFilter,
  bounds: ListBounds | undefined,
): SingleStatement {
  const compiler = createCompiler(dialect, compilePopulation, bounds);
  const { rows, from } = rootRows(compiler, query.entry);
  const { columns, entryOf } = versionedAnswer(compiler, query.entry, rows);
  const conditions = rootConditions(compiler, query, rows, locale);
  return { statement: sql`SELECT ${columns} FROM ${from}${conditions} ORDER BY ${rows.alias}.id LIMIT 1`, entryOf };
}

/** Selects the version of an entry by its key, or of a single type; undefined if the version does not determine the answer. */
export function compileVersion(
  dialect: Dialect,
  query: ReadQuery,
  how: { readonly single: LocaleFilter } | { readonly ofDocument: OfDocument },
): VersionStatement | undefined {
  const compiler = createCompiler(dialect, compilePopulation);
  const { rows, from } = rootRows(compiler, query.entry);
  const { columns, identifiesAnswer, versionOf, tagOf } = versionTag(dialect, query.entry, rows.alias);
  if (!identifiesAnswer) return undefined;
  const select = sql`SELECT ${columns} FROM ${from}`;
  if ('single' in how) {
    const conditions = rootConditions(compiler, query, rows, how.single);
    const statement = sql`${select}${conditions} ORDER BY ${rows.alias}.id LIMIT 1`;
    return { statement: () => statement, versionOf, tagOf };
  }
  const { ofDocument } = how;
  const before = sql`${select} WHERE ${keyColumn(rows, ofDocument)} = `;
  const { statement } = withId(before, furtherConditions(compiler, query, rows, { anyState: false, ofDocument }));
  return { statement, versionOf, tagOf };
}

/** Selects an entry by its key, without its lists. */
export function compileShallowOne(
  dialect: Dialect,
  query: ReadQuery,
  how: { readonly anyState: boolean; readonly ofDocument: OfDocument },
): Pick<EntryStatement, 'text' | 'statement'> & Pick<ShallowStatement, 'level' | 'versionOf'> {
  const lists: DeferredList[] = [];
  const compiler = createCompiler(dialect, compilePopulation, { kind: 'deferred', lists });
  const { rows, from } = rootRows(compiler, query.entry);
  const { columns, level } = entryLevel(compiler, query.entry, rows, lists);
  const version = versionTag(dialect, query.entry, rows.alias);
  const before = sql`SELECT ${columns}, ${version.columns} FROM ${from} WHERE ${keyColumn(rows, how.ofDocument)} = `;
  const { text, statement } = withId(before, furtherConditions(compiler, query, rows, how));
  return { level, versionOf: version.versionOf, text, statement };
}

/** Selects the entry of a single type, without its lists. */
export function compileShallowSingle(dialect: Dialect, query: ReadQuery, locale: LocaleFilter): ShallowStatement {
  const lists: DeferredList[] = [];
  const compiler = createCompiler(dialect, compilePopulation, { kind: 'deferred', lists });
  const { rows, from } = rootRows(compiler, query.entry);
  const { columns, level } = entryLevel(compiler, query.entry, rows, lists);
  const version = versionTag(dialect, query.entry, rows.alias);
  const select = sql`SELECT ${columns}, ${version.columns} FROM ${from}`;
  const conditions = rootConditions(compiler, query, rows, locale);
  return {
    statement: sql`${select}${conditions} ORDER BY ${rows.alias}.id LIMIT 1`,
    level,
    versionOf: version.versionOf,
  };
}
