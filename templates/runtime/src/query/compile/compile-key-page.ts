/** Selects the entries of a page by key, starting after the last entry of the page before (keyset pagination). */
import type { Canonical } from '../../contract/attribute-types/attribute-type.ts';
import type { Row } from '../../database/statement-runner.ts';
import type { Dialect } from '../../database/dialect.ts';
import { join, raw, sql, type Sql } from '../../database/sql.ts';
import { constant } from '../bindings.ts';
import { castKey } from '../cursor.ts';
import type { Comparison, ListQuery, LocaleFilter, Place, SortKey } from '../read-query.ts';
import { compilePopulation } from './compile-population.ts';
import { idKey, orderBy, type OrderKey, orderKeys } from './compile-sort.ts';
import { type Compiler, createCompiler, where } from './compiler.ts';
import { rootConditionList, rootRows } from './root-rows.ts';

export interface KeyPageStatement {
  readonly statement: Sql;
  /** The place of the entry in a row. */
  placeOf(row: Row): Place;
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
  if (descending) return isNull ? [] : [compare('<'), sql`${value} IS NULL`];
  if (isNull) return [sql`${value} IS NOT NULL`];
  return neverNull === true || !isNull ? [compare('>')] : [];
}

/** The rows after a place, as disjoint parts: equal in the first keys, and then after it in the next one. */
function partsAfter(keys: readonly After[]): readonly (readonly Sql[])[] {
  const equals: Sql[] = [];
  const parts: (readonly Sql[])[] = [];
  for (const key of keys) {
    parts.push(...conditionsAfter(key).map((condition) => [...equals, condition]));
    equals.push(equal(key));
  }
  return parts;
}

function anyOf(parts: readonly (readonly Sql[])[]): Sql {
  const each = parts.map((conditions) => sql`(${join(conditions, ' AND ')})`);
  return sql`(${join(each, ' OR ')})`;
}

/** Whether an index is in the order of the list, and so serves each part. */
function isIndexed([first]: readonly OrderKey[]): boolean {
  return first?.isSorted === true;
}

function afterKeys({ engine }: Compiler, sort: readonly SortKey[], keys: readonly OrderKey[], place: Place): After[] {
  return keys.map((key, index) => {
    const type = key.type === 'json' ? 'text' : (key.type ?? 'biginteger');
    const value = index < sort.length ? (place.values[index] ?? null) : String(place.id);
    return {
      key,
      isNull: value === null,
      compare: (comparison) => engine.compareSorted(type, key.value, comparison, constant(value)),
    };
  });
}

/** A SELECT without its conditions on the place. */
interface Choice {
  readonly select: Sql;
  readonly base: readonly Sql[];
  readonly keys: readonly OrderKey[];
  readonly count: number;
}

function selectPart(compiler: Compiler, { select, base, keys, count }: Choice, further: readonly Sql[]): Sql {
  const limit = compiler.engine.rowCount(count);
  return sql`${select}${where([...base, ...further])} ORDER BY ${orderBy(compiler, keys)} LIMIT ${limit}`;
}

/** A UNION ALL of the parts, each of which an index serves, merged in order. */
function mergedParts(compiler: Compiler, choice: Choice, parts: readonly (readonly Sql[])[]): Sql {
  const each = parts.map((part) => sql`SELECT * FROM (${selectPart(compiler, choice, part)}) AS ${compiler.alias()}`);
  const keys = choice.keys.map((key, index) => ({ ...key, value: compiler.id(orderName(index)) }));
  const limit = compiler.engine.rowCount(choice.count);
  const all = sql`(${join(each, ' UNION ALL ')}) AS ${compiler.alias()}`;
  return sql`SELECT * FROM ${all} ORDER BY ${orderBy(compiler, keys)} LIMIT ${limit}`;
}

function canonical(key: SortKey, value: unknown): Canonical {
  if (value === null || value === undefined) return null;
  const result = castKey(key, typeof value === 'bigint' ? String(value) : value);
  if (!result.ok) throw new Error(`${key.field.name} ${result.message}`);
  return result.value;
}

/** Selects the first `count` entries of a list after `place`, or from its start: their ids and sort values. */
export function compileKeyPage(
  dialect: Dialect,
  query: ListQuery,
  locale: LocaleFilter,
  { place, count }: { readonly place: Place | undefined; readonly count: number },
): KeyPageStatement {
  const compiler = createCompiler(dialect, compilePopulation);
  const { id } = compiler;
  const { sort } = query;
  const { rows, from } = rootRows(compiler, query.entry);
  const keys = orderKeys(compiler, sort, rows, [idKey(rows)]);
  const columns = [
    sql`${rows.alias}.id AS ${id('id')}`,
    ...keys.map(({ value }, index) => sql`${value} AS ${id(orderName(index))}`),
    ...sort.map(
      ({ field }, index) =>
        sql`${dialect.plainScalar(keys[index]?.type ?? field.columnType, keys[index]?.value ?? raw('NULL'))} AS ${id(valueName(index))}`,
    ),
  ];
  const select = sql`SELECT ${join(columns, ', ')} FROM ${from}`;
  const choice = { select, base: rootConditionList(compiler, query, rows, locale), keys, count };
  const parts = place ? partsAfter(afterKeys(compiler, sort, keys, place)) : [[]];
  const [first = []] = parts;
  const isMerged = parts.length > 1 && isIndexed(keys);
  const statement = isMerged
    ? mergedParts(compiler, choice, parts)
    : selectPart(compiler, choice, parts.length > 1 ? [anyOf(parts)] : first);
  return {
    statement,
    placeOf: (row) => ({
      values: sort.map((key, index) => canonical(key, row[valueName(index)])),
      id: Number(row['id']),
    }),
  };
}
