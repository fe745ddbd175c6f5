/** The statements of an entry, and of the entry of a single type. */
import type { Row } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import { join, sql } from '../../database/sql.ts';
import type { Sql } from '../../database/sql.ts';
import type { EntrySelection, LocaleFilter, ReadQuery } from '../read-query.ts';
import { compilePopulation } from './compile-population.ts';
import { createCompiler } from './compiler.ts';
import type { Compiler } from './compiler.ts';
import { entryAnswer } from './entry-answer.ts';
import { entryConditions, rootConditions, rootRows } from './root-rows.ts';

/** A statement for one entry: `statement(id)` binds its id, or has what statements call it. */
export interface EntryStatement {
  readonly text: string;
  statement(id: number | Sql): Sql;
  /** The JSON text of the entry, of a row that the statement, or `returning`, answers. */
  textOf(row: Row): string;
  /**
   * What stands behind RETURNING of a statement that writes the entry's row, to answer the same. Undefined where the row
   * alone does not tell.
   */
  readonly returning: Sql | undefined;
}

export interface SingleStatement extends Pick<EntryStatement, 'textOf'> {
  readonly statement: Sql;
}

function withId(before: Sql, after: Sql): Pick<EntryStatement, 'text' | 'statement'> {
  const text = `${before.text}?${after.text}`;
  return {
    text,
    statement: (id) =>
      typeof id === 'number' ? { text, params: [...before.params, id, ...after.params] } : sql`${before}${id}${after}`,
  };
}

function returningOf(compiler: Compiler, entry: EntrySelection): Sql | undefined {
  if (entry.populate.length > 0 || entry.type.localized) return undefined;
  // Not every engine knows another name of the table in RETURNING.
  const table = compiler.dialect.id(entry.type.table);
  return entryAnswer(compiler, entry, { kind: 'table', alias: table, type: entry.type }).columns;
}

/**
 * The entry with an id; no row where there is none. `anyState`: also a draft, and whatever the filter says, as for an entry
 * that was just written.
 */
export function compileOne(dialect: Dialect, query: ReadQuery, { anyState }: { anyState: boolean }): EntryStatement {
  const compiler = createCompiler(dialect, compilePopulation);
  const { rows, from } = rootRows(compiler, query.entry);
  const { columns, textOf } = entryAnswer(compiler, query.entry, rows);
  const conditions = anyState ? [] : entryConditions(compiler, query, rows);
  const rest = conditions.map((condition) => sql` AND ${condition}`);
  const select = withId(sql`SELECT ${columns} FROM ${from} WHERE ${rows.alias}.id = `, join(rest, ''));
  return { ...select, textOf, returning: anyState ? returningOf(compiler, query.entry) : undefined };
}

/** The entry of a single type: no row where there is none. */
export function compileSingle(dialect: Dialect, query: ReadQuery, locale: LocaleFilter): SingleStatement {
  const compiler = createCompiler(dialect, compilePopulation);
  const { rows, from } = rootRows(compiler, query.entry);
  const { columns, textOf } = entryAnswer(compiler, query.entry, rows);
  const conditions = rootConditions(compiler, query, rows, locale);
  return { statement: sql`SELECT ${columns} FROM ${from}${conditions} ORDER BY ${rows.alias}.id LIMIT 1`, textOf };
}
