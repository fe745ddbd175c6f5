/** Selects the entries of a page by keyset pagination, starting after the last entry of the page before. */
import type { Canonical } from '../../contract/attribute-types/attribute-type.ts';
import type { Row } from '../../database/statement-runner.ts';
import type { Dialect } from '../../database/dialect.ts';
import { join, raw, sql, type Sql } from '../../database/sql.ts';
import { constant, type Operand } from '../bindings.ts';
import { castKey } from '../cursor.ts';
import type { Comparison } from '../../contract/operators.ts';
import type { CursorPosition, KeysetPosition, ListQuery, LocaleFilter, SortKey } from '../read-query.ts';
import { compilePopulation } from './compile-population.ts';
import { idKey, orderBy, type OrderKey, orderKeys } from './compile-sort.ts';
import { type Compiler, createCompiler, where } from './compiler.ts';
import { rootConditionList, rootRows } from './root-rows.ts';

export interface KeysetPageStatement {
  readonly statement: Sql;
  /** The position of the entry in a row. */
  positionOf(row: Row): CursorPosition;
}

/** A sort key, and comparisons with its value in the last entry of the page before. */
interface After {
  readonly key: OrderKey;
  compare(comparison: Comparison): Sql;
  readonly isNull: boolean;
}

function valueName(index: number): string {
  return `value ${index}`;
}

function orderName(index: number): string {
  return `order ${index}`;
}

function equal({ key, compare, isNull }: After): Sql {
  return isNull ? sql`${key.value} IS NULL` : compare('=');
}

/**
 * Conditions for what comes after a value, each of which an index can serve. Nulls are first if ascending, last if descending.
 */
function conditionsAfter({ key, compare, isNull }: After): readonly Sql[] {
  const { value, descending, neverNull } = key;
  if (!descending) return [isNull ? sql`${value} IS NOT NULL` : compare('>')];
  if (isNull) return [];
  return neverNull === true ? [compare('<')] : [compare('<'), sql`${value} IS NULL`];
}

function allOf(conditions: readonly Sql[]): Sql {
  return join(conditions, ' AND ');
}

function anyOf(conditions: readonly Sql[]): Sql {
  return sql`(${join(conditions, ' OR ')})`;
}

/**
 * The rows after a position, as alternatives: after it in the first key, or equal in the first key and after it in the others. They
 * are nested, so that each key of a row is compared once, however many keys there are.
 */
function conditionsAfterPlace([first, ...others]: readonly After[]): readonly Sql[] {
  if (!first) return [];
  const further = conditionsAfterPlace(others);
  if (further.length === 0) return conditionsAfter(first);
  return [...conditionsAfter(first), sql`(${equal(first)} AND ${anyOf(further)})`];
}

/** The maximum number of keys that get separate parts: no index has more columns. */
const MOST_DIVIDED = 8;

/**
 * The rows after a position, as disjoint parts: equal in the first keys, and then after it in the next one. Keys that a subquery
 * looks up for each row share the last part, since no index serves them.
 */
function partsAfter(keys: readonly After[]): readonly Sql[] {
  const equals: Sql[] = [];
  const parts: Sql[] = [];
  for (const [index, { key }] of keys.entries()) {
    const isDivided = index < MOST_DIVIDED && key.isLookedUp !== true;
    const rest = keys.slice(index);
    const [first] = rest;
    if (!first || !isDivided) {
      parts.push(allOf([...equals, anyOf(conditionsAfterPlace(rest))]));
      break;
    }
    parts.push(...conditionsAfter(first).map((condition) => allOf([...equals, condition])));
    equals.push(equal(first));
  }
  return parts;
}

/** Whether an index is in the order of the list, and so serves each part. */
function isIndexed([first]: readonly OrderKey[]): boolean {
  return first?.isSorted === true;
}

function afterKeys(
  { engine }: Compiler,
  sort: readonly SortKey[],
  keys: readonly OrderKey[],
  position: KeysetPosition,
): After[] {
  return keys.map((key, index) => {
    const type = key.type === 'json' ? 'text' : (key.type ?? 'biginteger');
    const value: Operand | null = index < sort.length ? (position.values[index] ?? null) : position.id;
    return {
      key,
      isNull: value === null,
      compare: (comparison) => engine.compareSorted(type, key.value, comparison, value ?? constant(null)),
    };
  });
}

/** A SELECT without its conditions on the position. */
interface Choice {
  readonly select: Sql;
  readonly base: readonly Sql[];
  readonly keys: readonly OrderKey[];
  readonly count: number;
}

function selectPart(compiler: Compiler, { select, base, keys, count }: Choice, further?: Sql): Sql {
  const limit = compiler.engine.rowCount(count);
  return sql`${select}${where([...base, further])} ORDER BY ${orderBy(compiler, keys)} LIMIT ${limit}`;
}

/** The sort keys as columns of the selected rows. */
function selectedKeys({ id }: Compiler, keys: readonly OrderKey[]): readonly OrderKey[] {
  return keys.map((key, index) => ({ ...key, value: id(orderName(index)) }));
}

/** A UNION ALL of the parts, each of which an index serves, merged in order. */
function mergedParts(compiler: Compiler, choice: Choice, parts: readonly Sql[]): Sql {
  const each = parts.map((part) => sql`SELECT * FROM (${selectPart(compiler, choice, part)}) AS ${compiler.alias()}`);
  const order = orderBy(compiler, selectedKeys(compiler, choice.keys));
  const limit = compiler.engine.rowCount(choice.count);
  const all = sql`(${join(each, ' UNION ALL ')}) AS ${compiler.alias()}`;
  return sql`SELECT * FROM ${all} ORDER BY ${order} LIMIT ${limit}`;
}

/** Adds the sort values in the form of cursors, for the rows of the page only: a value may need a subquery. */
function withValues(compiler: Compiler, rows: Sql, keys: readonly OrderKey[], sort: readonly SortKey[]): Sql {
  const { dialect, id } = compiler;
  const selected = selectedKeys(compiler, keys);
  const values = sort.map(({ field }, index) => {
    const { type = field.columnType, value } = selected[index] ?? { value: raw('NULL') };
    return sql`${dialect.plainScalar(type, value)} AS ${id(valueName(index))}`;
  });
  const columns = join([id('id'), ...values], ', ');
  return sql`SELECT ${columns} FROM (${rows}) AS ${compiler.alias()} ORDER BY ${orderBy(compiler, selected)}`;
}

function canonical(key: SortKey, value: unknown): Canonical {
  if (value === null || value === undefined) return null;
  const result = castKey(key, typeof value === 'bigint' ? String(value) : value);
  if (!result.ok) throw new Error(`${key.field.name} ${result.message}`);
  return result.value;
}

/** Selects the first `count` entries of a list after `position`, or from its start: their ids and sort values. */
export function compileKeysetPage(
  dialect: Dialect,
  query: ListQuery,
  locale: LocaleFilter,
  { position, count }: { readonly position: KeysetPosition | undefined; readonly count: number },
): KeysetPageStatement {
  const compiler = createCompiler(dialect, compilePopulation);
  const { id } = compiler;
  const { sort } = query;
  const { rows, from } = rootRows(compiler, query.entry);
  const keys = orderKeys(compiler, sort, rows, [idKey(rows)]);
  const columns = [
    sql`${rows.alias}.id AS ${id('id')}`,
    ...keys.map(({ value }, index) => sql`${value} AS ${id(orderName(index))}`),
  ];
  const select = sql`SELECT ${join(columns, ', ')} FROM ${from}`;
  const choice = { select, base: rootConditionList(compiler, query, rows, locale), keys, count };
  const after = position ? afterKeys(compiler, sort, keys, position) : [];
  const parts = isIndexed(keys) ? partsAfter(after) : [];
  const page =
    parts.length > 1
      ? mergedParts(compiler, choice, parts)
      : selectPart(compiler, choice, after.length > 0 ? anyOf(conditionsAfterPlace(after)) : undefined);
  const statement = withValues(compiler, page, keys, sort);
  return {
    statement,
    positionOf: (row) => ({
      values: sort.map((key, index) => canonical(key, row[valueName(index)])),
      id: Number(row['id']),
    }),
  };
}
