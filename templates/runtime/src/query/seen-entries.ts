/** Reads entries by their ids, as a selection shows them: those that it hides are left out. */
import type { ReadOptions } from '../database/statement-runner.ts';
import { raw, sql, type Sql } from '../database/sql.ts';
import type { Matching } from './assembled-entry.ts';
import { compileEntries } from './compile/compile-level.ts';
import { compileFilter, visibilityConditions } from './compile/compile-filter.ts';
import { compilePopulation } from './compile/compile-population.ts';
import { idKey, orderBy, orderKeys } from './compile/compile-sort.ts';
import { createCompiler, where } from './compile/compiler.ts';
import { rootRows } from './compile/root-rows.ts';
import { completeEntries } from './read-levels.ts';
import { parsedEntry } from './version-tag.ts';
import { levelRead, type ReadContext } from './read-limits.ts';
import type { EntrySelection, Question, VisibleEntries } from './read-query.ts';

/** How many are read by one statement. */
const AT_ONCE = 500;

function partsOf<T>(all: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, index) =>
    all.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
  );
}

/** A SELECT of the ids of all entries that are visible. */
export function seenIds({ database }: ReadContext, entry: VisibleEntries): Sql {
  const compiler = createCompiler(database.dialect, compilePopulation);
  const { rows, from } = rootRows(compiler, entry);
  return sql`SELECT ${rows.alias}.id FROM ${from}${where(visibilityConditions(compiler, entry, rows))}`;
}

/** Those of the ids whose entries are there, and visible. */
export async function seenAmong(
  { database }: ReadContext,
  entry: VisibleEntries,
  ids: readonly number[],
  options: ReadOptions,
): Promise<ReadonlySet<number>> {
  const { dialect } = database;
  const compiler = createCompiler(dialect, compilePopulation);
  const { rows, from } = rootRows(compiler, entry);
  const seen = new Set<number>();
  for (const some of partsOf(ids)) {
    const conditions = [dialect.isOneOf(sql`${rows.alias}.id`, some), ...visibilityConditions(compiler, entry, rows)];
    const found = await database.all(sql`SELECT ${rows.alias}.id AS id FROM ${from}${where(conditions)}`, options);
    for (const row of found) seen.add(Number(row['id']));
  }
  return seen;
}

/** Which of the entries with these ids are there and visible, and which of these match, in order. */
export async function matchingEntries(
  context: ReadContext,
  entry: VisibleEntries,
  { filter, sort }: Question,
  ids: readonly number[],
  options: ReadOptions,
): Promise<Matching> {
  const { database } = context;
  const { dialect } = database;
  const seen = await seenAmong(context, entry, ids, options);
  const compiler = createCompiler(dialect, compilePopulation);
  const { rows, from } = rootRows(compiler, entry);
  const asked = filter === undefined ? [] : [compileFilter(compiler, filter, rows)];
  const conditions = where([dialect.isOneOf(sql`${rows.alias}.id`, [...seen]), ...asked]);
  const order = orderBy(compiler, orderKeys(compiler, sort, rows, [idKey(rows)]));
  const found = await database.all(
    sql`SELECT ${rows.alias}.id AS id FROM ${from}${conditions} ORDER BY ${order}`,
    options,
  );
  return { seen, ids: found.map((row) => Number(row['id'])) };
}

/** Throws BadRequestError if they are larger than an answer may be. */
export async function seenEntries(
  context: ReadContext,
  entry: EntrySelection,
  ids: readonly number[],
  { withType, options }: { readonly withType: boolean; readonly options: ReadOptions },
): Promise<ReadonlyMap<number, unknown>> {
  const entries = new Map<number, unknown>();
  if (ids.length === 0) return entries;
  const seen = await seenAmong(context, entry, ids, options);
  const level = compileEntries(context.database.dialect, entry, withType);
  const read = levelRead(context, context.database, options);
  for (const some of partsOf([...seen])) {
    const rows = await context.database.all(level.statement(some), options);
    const texts = await completeEntries(read, level, rows);
    for (const [index, row] of rows.entries()) {
      const text = texts[index];
      if (text) entries.set(level.idOf(row), parsedEntry({ text: context.fileUrls?.signedPieces(text) ?? text }));
    }
  }
  return entries;
}

/** The rows of the entries that rows belong to, by these: of a localized type, in the order of `locales`. */
export async function rowsOfEntries(
  { database }: ReadContext,
  table: string,
  ids: readonly number[],
  locales: readonly string[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  const { dialect } = database;
  const name = dialect.id(table);
  const rows = new Map<number, { readonly id: number; readonly rank: number }[]>();
  for (const some of partsOf(ids)) {
    const found = await database.all(
      sql`SELECT n.id AS k, o.id AS id, o.locale AS locale FROM ${name} AS n JOIN ${name} AS o ON o.document_id = n.document_id WHERE ${dialect.isOneOf(raw('n.id'), some)}`,
    );
    for (const row of found) {
      const rank = locales.indexOf(String(row['locale']));
      const all = rows.get(Number(row['k'])) ?? [];
      rows.set(Number(row['k']), [...all, { id: Number(row['id']), rank: rank === -1 ? locales.length : rank }]);
    }
  }
  return new Map([...rows].map(([id, all]) => [id, all.sort((a, b) => a.rank - b.rank).map((one) => one.id)]));
}
