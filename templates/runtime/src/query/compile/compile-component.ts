/** Populated components and dynamic zones, which are stored in JSON columns of the entry. */
import { MAX_GUARDED_ITEMS } from '../../contract/limits.ts';
import { join, raw, sql, type Sql } from '../../database/sql.ts';
import type { Filter, ItemSelection, Population } from '../read-query.ts';
import { type Compiler, where } from './compiler.ts';
import { compileFilter } from './compile-filter.ts';
import { ascending, orderInAggregate, type OrderKey, orderKeys } from './compile-sort.ts';
import { showsLists } from './list-weight.ts';
import { jsonOrOverflow } from './markers.ts';
import { componentJson, jsonOf } from './row-values.ts';
import { type ItemRows, ownerOf, type Rows } from './rows.ts';
import { isWindowed, partOf, windowed } from './window.ts';

type Pairs = readonly (readonly [string, Sql])[];

/** `{id, …}`: reads members by name only, so that nothing else in the stored item is revealed. */
function itemJson(compiler: Compiler, item: ItemSelection, rows: ItemRows, lead: Pairs = []): Sql {
  const { dialect, engine } = compiler;
  const fields = item.fields.map((field) => [field.name, jsonOf(compiler, rows, field)] as const);
  const populated = item.populate.map((population) => compiler.population(population, rows));
  return dialect.jsonObject([['id', engine.itemJson('integer', rows.json, 'id')], ...lead, ...fields, ...populated]);
}

interface Items {
  readonly from: Sql;
  readonly rows: ItemRows;
  readonly keys: readonly OrderKey[];
  readonly conditions: readonly Sql[];
  readonly start: number;
  readonly limit: number | undefined;
}

function listJson(compiler: Compiler, items: Items, json: (rows: ItemRows) => Sql): Sql {
  const { dialect } = compiler;
  const { rows, keys, from, conditions } = items;
  if (!isWindowed(items) || dialect.limitInAggregate) {
    const list = dialect.jsonArrayAggregate(json(rows), orderInAggregate(compiler, keys), partOf(compiler, items));
    return dialect.neverNull(sql`SELECT ${list} FROM ${from}${where(conditions)}`);
  }
  const part = windowed(compiler, { ...items, columns: { value: rows.json } });
  const shown: ItemRows = { ...rows, json: sql`${part.alias}.value` };
  const list = dialect.jsonArrayAggregate(json(shown), orderInAggregate(compiler, part.keys));
  return dialect.neverNull(sql`SELECT ${list} FROM ${part.from}`);
}

/** Replaces a list of items by a marker if it is too long for a statement that builds lists inside each item. */
function guarded(compiler: Compiler, json: Sql, populated: readonly Population[], list: Sql): Sql {
  if (compiler.bounds?.kind !== 'guarded' || !showsLists(populated)) return list;
  return jsonOrOverflow(compiler, compiler.engine.itemCount(json), MAX_GUARDED_ITEMS, list);
}

function filterConditions(compiler: Compiler, filter: Filter | undefined, rows: ItemRows): readonly Sql[] {
  return filter === undefined ? [] : [compileFilter(compiler, filter, rows)];
}

/** An item or null; an array of items if the attribute is repeatable. */
export function compileComponent(compiler: Compiler, population: Population & { kind: 'component' }, rows: Rows): Sql {
  const { component, window, item } = population;
  const json = componentJson(compiler, rows, component);
  const owner = ownerOf(rows);
  if (!component.repeatable) {
    const only: ItemRows = { kind: 'item', json, owner };
    const present = join([sql`${json} IS NOT NULL`, ...filterConditions(compiler, window.filter, only)], ' AND ');
    return sql`CASE WHEN ${present} THEN ${itemJson(compiler, item, only)} END`;
  }
  const alias = compiler.alias();
  const each: ItemRows = { kind: 'item', json: sql`${alias}.value`, owner };
  const list = listJson(
    compiler,
    {
      from: compiler.engine.itemRows(json, alias),
      rows: each,
      keys: orderKeys(compiler, window.sort, each, ascending([sql`${alias}.key`])),
      conditions: filterConditions(compiler, window.filter, each),
      start: window.start,
      limit: window.limit,
    },
    (shown) => itemJson(compiler, item, shown),
  );
  return guarded(compiler, json, item.populate, list);
}

/** The items of a dynamic zone, each with its `__component`. */
export function compileZone(compiler: Compiler, population: Population & { kind: 'zone' }, rows: Rows): Sql {
  const { dialect, engine } = compiler;
  const { items, zone, start, limit } = population;
  if (items.length === 0) {
    return dialect.jsonEmptyArray;
  }
  const alias = compiler.alias();
  const json = componentJson(compiler, rows, zone);
  const each: ItemRows = { kind: 'item', json: sql`${alias}.value`, owner: ownerOf(rows) };
  const kindOf = (item: ItemRows) => engine.itemValue('text', item.json, '__component');
  const names = items.map(({ uid }) => dialect.text(uid));
  const list = listJson(
    compiler,
    {
      from: engine.itemRows(json, alias),
      rows: each,
      keys: [{ value: sql`${alias}.key`, descending: false }],
      conditions: [sql`${kindOf(each)} IN (${join(names, ', ')})`],
      start,
      limit,
    },
    (shown) => {
      const cases = items.map((item) => {
        const name = dialect.text(item.uid);
        return sql`WHEN ${name} THEN ${itemJson(compiler, item, shown, [['__component', dialect.jsonScalar('text', name)]])}`;
      });
      return sql`CASE ${kindOf(shown)} ${join(cases, ' ')} ELSE ${raw('NULL')} END`;
    },
  );
  return guarded(
    compiler,
    json,
    items.flatMap(({ populate }) => populate),
    list,
  );
}
