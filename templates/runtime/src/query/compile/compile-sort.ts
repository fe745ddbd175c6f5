/** Sort keys as values to order by. */
import { join, sql } from '../../database/sql.ts';
import type { Sql } from '../../database/sql.ts';
import type { SortKey, SortStep } from '../read-query.ts';
import { published, where } from './compiler.ts';
import type { Compiler } from './compiler.ts';
import { relatedRows } from './related-rows.ts';
import { componentJson, ownerOf, valueOf } from './rows.ts';
import type { Rows } from './rows.ts';

/** A value to order by, and the direction. */
export interface OrderKey {
  readonly value: Sql;
  readonly descending: boolean;
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
    path.on.push(on, ...published(step.live, target.alias));
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
  const value = compiler.engine.sortable(key.field.type, valueOf(compiler, reached, key.field));
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
  last: readonly Sql[],
): readonly OrderKey[] {
  return [
    ...sort.map((key) => ({ value: keyValue(compiler, key, rows), descending: key.descending })),
    ...last.map((value) => ({ value, descending: false })),
  ];
}

/** What stands behind `ORDER BY`. */
export function orderBy(compiler: Compiler, keys: readonly OrderKey[]): Sql {
  return join(
    keys.map(({ value, descending }) => compiler.engine.orderBy(value, descending)),
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
