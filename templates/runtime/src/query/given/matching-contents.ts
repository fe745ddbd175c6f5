/** Filters and sorts entries whose contents are given: by the conditions of any other query, over tables that the statement brings with it. */
import type { Executor } from '../../database/executor.ts';
import { join, raw, sql, type Sql } from '../../database/sql.ts';
import type { ReadOptions } from '../../database/statement-runner.ts';
import { compilePopulation } from '../compile/compile-population.ts';
import { compileFilter } from '../compile/compile-filter.ts';
import { idKey, orderBy, orderKeys } from '../compile/compile-sort.ts';
import { type Compiler, createCompiler, where } from '../compile/compiler.ts';
import type { TableRows } from '../compile/rows.ts';
import type { Holder } from '../assembled-entry.ts';
import type { Content } from '../content-text.ts';
import type { ContentType } from '../../contract/content-type.ts';
import type { Question } from '../read-query.ts';
import type { ReadableComponent } from '../readable-attributes.ts';
import { type ContentSource, type GivenTable, givenTables } from './given-rows.ts';
import { placedQuery } from './places.ts';

/** What a query asks of the entries of a type. */
export interface ContentQuery extends Question {
  readonly type: ContentType;
}

/** What a query is asked of. */
export interface Given {
  readonly contents: ReadonlyMap<number, Content>;
  readonly source: ContentSource;
  /** Whether the entries of a type that relations lead to are those that the database has, instead of given ones. */
  readonly isStored: (type: ContentType) => boolean;
  /** How to read, for the number of rows that there are. */
  readonly options: (rows: number) => ReadOptions;
}

function tableOf(compiler: Compiler, { name, columns, components, rows }: GivenTable): Sql {
  const { engine, id } = compiler;
  const each = raw('g');
  const item = sql`${each}.value`;
  const values = columns.map(([column, type]) => sql`${engine.itemValue(type, item, column)} AS ${id(column)}`);
  const items = components.map((column) => sql`${engine.itemMember(item, column)} AS ${id(column)}`);
  const from = engine.itemRows(sql`${`[${rows.join(',')}]`}`, each);
  return engine.tableOnce(id(name), sql`SELECT ${join([...values, ...items], ', ')} FROM ${from}`);
}

/** The ids of the entries that match, in order. */
export async function matchingContents(
  executor: Executor,
  { type, filter, sort }: ContentQuery,
  given: Given,
): Promise<readonly number[]> {
  const placed = placedQuery(type, { filter, sort }, given.isStored);
  const tables = await givenTables(placed.root, given.contents, given.source);
  const compiler = createCompiler(executor.dialect, compilePopulation);
  const alias = compiler.alias();
  const rows: TableRows = { kind: 'table', alias, type: placed.root.type };
  const conditions = placed.filter === undefined ? [] : [compileFilter(compiler, placed.filter, rows)];
  const order = orderBy(compiler, orderKeys(compiler, placed.sort, rows, [idKey(rows)]));
  const from = sql`${compiler.id(placed.root.type.table)} AS ${alias}`;
  const withTables = join(
    tables.map((table) => tableOf(compiler, table)),
    ', ',
  );
  const count = tables.reduce((sum, table) => sum + table.rows.length, 0);
  const found = await executor.all(
    sql`WITH ${withTables} SELECT ${alias}.id AS id FROM ${from}${where(conditions)} ORDER BY ${order}`,
    given.options(count),
  );
  return found.map((row) => Number(row['id']));
}

/** The indexes of the items of a component that match, in order: each is the only one of an entry of its own. */
export async function matchingItems(
  executor: Executor,
  { type, component, filter, sort }: ContentQuery & { readonly component: ReadableComponent },
  items: readonly Holder[],
  given: Omit<Given, 'contents'>,
): Promise<readonly number[]> {
  const only = { ...component, repeatable: false };
  const step = { kind: 'component', component: only } as const;
  const question = {
    filter: filter && ({ kind: 'item', component: only, filter } as const),
    sort: sort.map((key) => ({ ...key, path: [step, ...key.path] })),
  };
  const contents = new Map(
    items.map(({ content, locale }, index) => [index + 1, { locale, [component.name]: content }]),
  );
  const ids = await matchingContents(executor, { type, ...question }, { ...given, contents });
  return ids.map((id) => id - 1);
}
