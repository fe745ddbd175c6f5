/** Sort keys as values to order by. */
import { join, sql, type Sql } from '../../database/sql.ts';
import type { SortKey, SortStep } from '../read-query.ts';
import { seenRows } from './compile-filter.ts';
import { type Compiler, where } from './compiler.ts';
import { relatedRows } from './related-rows.ts';
import { componentJson, ownerOf, type Rows, type TableRows, valueOf } from './rows.ts';

/** A value to order by, and the direction. */
export interface OrderKey {
  readonly value: Sql;
  readonly descending: boolean;
  readonly neverNull?: boolean;
}

/** The key that makes an order of rows total. */
export function idKey({ alias }: TableRows): OrderKey {
  return { value: sql`${alias}.id`, descending: false, neverNull: true };
}

/** Keys of a stored order. */
export function ascending(values: readonly Sql[]): readonly OrderKey[] {
  return values.map((value) => ({ value, descending: false }));
}

interface Path {
  readonly from: Sql[];
  readonly on: Sql[];
}

/** One step of a path: what is joined goes to `path`, and the rows that are reached are answered. */
function walk(compiler: Compiler, step: SortStep, rows: Rows, path: Path): Rows {
  if (step.kind === 'relation') {
    const { from, on, target } = relatedRows(compiler, step.relation, rows);
    path.from.push(from);
    path.on.push(on, ...seenRows(compiler, step, target));
    return target;
  }
  const json = componentJson(compiler, rows, step.component);
  const owner = ownerOf(rows);
  if (!step.component.repeatable) {
    return { kind: 'item', json, owner };
  }
  const alias = compiler.alias();
  path.from.push(compiler.engine.itemRows(json, alias));
  return { kind: 'item', json: sql`${alias}.value`, owner };
}

/** The value of a sort key: of several related rows the smallest ascending, the largest descending. */
function keyValue(compiler: Compiler, key: SortKey, rows: Rows): Sql {
  const path: Path = { from: [], on: [] };
  let reached = rows;
  for (const step of key.path) {
    reached = walk(compiler, step, reached, path);
  }
  const value = compiler.engine.sortable(key.field.columnType, valueOf(compiler, reached, key.field));
  if (path.from.length === 0) {
    return value;
  }
  const conditions = where([...path.on, sql`${value} IS NOT NULL`]);
  const order = compiler.engine.orderBy(value, key.descending);
  return sql`(SELECT ${value} FROM ${join(path.from, ', ')}${conditions} ORDER BY ${order} LIMIT 1)`;
}

/** The keys of a sort, followed by `last`, which make the order total. */
export function orderKeys(
  compiler: Compiler,
  sort: readonly SortKey[],
  rows: Rows,
  last: readonly OrderKey[],
): readonly OrderKey[] {
  return [
    ...sort.map((key) => ({
      value: keyValue(compiler, key, rows),
      descending: key.descending,
      neverNull: key.path.length === 0 && key.field.column === 'id',
    })),
    ...last,
  ];
}

/** What stands behind `ORDER BY`. */
export function orderBy(compiler: Compiler, keys: readonly OrderKey[]): Sql {
  return join(
    keys.map(({ value, descending, neverNull }) => compiler.engine.orderBy(value, descending, neverNull)),
    ', ',
  );
}

/** The same for an aggregate. */
export function orderInAggregate(compiler: Compiler, keys: readonly OrderKey[]): Sql {
  return join(
    keys.map(({ value, descending }) => compiler.engine.orderInAggregate(value, descending)),
    ', ',
  );
}
