/** Compiles sort keys to ORDER BY. */
import type { ColumnType } from '../../contract/attribute-types/column-type.ts';
import { join, sql, type Sql } from '../../database/sql.ts';
import type { SortKey, SortStep } from '../read-query.ts';
import { visibilityConditions, visible } from './compile-filter.ts';
import { type Compiler, where } from './compiler.ts';
import { relatedRows } from './related-rows.ts';
import { comparedValue, componentJson, itemOf } from './row-values.ts';
import { ownerOf, type Rows, type TableRows } from './rows.ts';

/** A value to order by, and the direction. */
export interface OrderKey {
  readonly value: Sql;
  readonly descending: boolean;
  readonly neverNull?: boolean;
  /** The type of the value; undefined for keys that no request names. */
  readonly type?: ColumnType;
  /** Whether an index is in its order. */
  readonly isSorted?: boolean;
  /** Whether a subquery looks it up for each row. */
  readonly isLookedUp?: true;
}

/** The tiebreaker that makes an order total. */
export function idKey({ alias }: TableRows): OrderKey {
  return { value: sql`${alias}.id`, descending: false, neverNull: true, isSorted: true };
}

/** The keys of a stored order. */
export function ascending(values: readonly Sql[]): readonly OrderKey[] {
  return values.map((value) => ({ value, descending: false }));
}

interface Path {
  readonly from: Sql[];
  readonly on: Sql[];
}

/** Takes one step of a path: adds its joins to `path` and returns the rows reached. */
function walk(compiler: Compiler, step: SortStep, rows: Rows, path: Path): Rows {
  if (step.kind === 'relation') {
    const { from, on, target } = relatedRows(compiler, step.relation, rows, { visible: visible(compiler, step) });
    path.from.push(from);
    path.on.push(on, ...visibilityConditions(compiler, step, target));
    return target;
  }
  if (!step.component.repeatable) return itemOf(compiler, rows, step.component);
  const alias = compiler.alias();
  path.from.push(compiler.engine.itemRows(componentJson(compiler, rows, step.component), alias));
  return { kind: 'item', json: sql`${alias}.value`, owner: ownerOf(rows) };
}

/** The value of a sort key: of several related rows, the smallest if ascending, the largest if descending. */
function keyValue(compiler: Compiler, key: SortKey, rows: Rows): Omit<OrderKey, 'descending' | 'neverNull'> {
  const path: Path = { from: [], on: [] };
  let reached = rows;
  for (const step of key.path) {
    reached = walk(compiler, step, reached, path);
  }
  const { type, value: stored, isSorted } = comparedValue(compiler, reached, key.field);
  const value = compiler.engine.sortable(type, stored);
  if (path.from.length === 0) return { value, type, isSorted };
  const conditions = where([...path.on, sql`${value} IS NOT NULL`]);
  const order = compiler.engine.orderBy(value, { descending: key.descending, type });
  const shown = compiler.engine.lookedUp(type, value);
  const least = sql`(SELECT ${shown.value} FROM ${join(path.from, ', ')}${conditions} ORDER BY ${order} LIMIT 1)`;
  return { value: least, type: shown.type, isLookedUp: true };
}

/** The sort keys, followed by `last`, which make the order total. */
export function orderKeys(
  compiler: Compiler,
  sort: readonly SortKey[],
  rows: Rows,
  last: readonly OrderKey[],
): readonly OrderKey[] {
  return [
    ...sort.map((key) => ({
      ...keyValue(compiler, key, rows),
      descending: key.descending,
      neverNull: key.path.length === 0 && key.field.column === 'id',
    })),
    ...last,
  ];
}

/** The list after `ORDER BY`. */
export function orderBy(compiler: Compiler, keys: readonly OrderKey[]): Sql {
  return join(
    keys.map(({ value, ...order }) => compiler.engine.orderBy(value, order)),
    ', ',
  );
}

/** The list after `ORDER BY` within an aggregate. */
export function orderInAggregate(compiler: Compiler, keys: readonly OrderKey[]): Sql {
  return join(
    keys.map(({ value, ...order }) => compiler.engine.orderInAggregate(value, order)),
    ', ',
  );
}
