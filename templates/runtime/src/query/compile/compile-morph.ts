/** Populated relations whose targets are of several types. */
import { join, raw, sql } from '../../database/sql.ts';
import type { Sql } from '../../database/sql.ts';
import type { EntrySelection, Population } from '../read-query.ts';
import { typeName } from '../type-name.ts';
import { published, where } from './compiler.ts';
import type { Compiler } from './compiler.ts';
import { entryJson } from './compile-entry.ts';
import { morphLinks, type MorphLinks } from './morph-links.ts';
import type { Rows, TableRows } from './rows.ts';
import { isWindowed, partOf, type Window } from './window.ts';

type MorphPopulation = Population & { kind: 'morph' };

interface Target {
  /** The column of the link that names it. */
  readonly key: Sql;
  readonly entry: EntrySelection;
}

/** Whether a link leads to an entry that is shown. */
function isShown(compiler: Compiler, { key, entry }: Target): Sql {
  if (!entry.live) {
    return sql`${key} IS NOT NULL`;
  }
  const alias = compiler.alias();
  const table = compiler.id(entry.type.table);
  return sql`${key} IN (SELECT ${alias}.id FROM ${table} AS ${alias}${where(published(true, alias))})`;
}

function targetJson(compiler: Compiler, { key, entry }: Target): Sql {
  const { dialect } = compiler;
  const alias = compiler.alias();
  const rows: TableRows = { kind: 'table', alias, type: entry.type };
  const json = entryJson(compiler, entry, rows, [
    ['__type', dialect.jsonScalar('string', dialect.text(typeName(entry.type.uid)))],
  ]);
  // A key of links is that of a row which is there.
  const found = dialect.neverNull(
    sql`SELECT ${json} FROM ${dialect.id(entry.type.table)} AS ${alias} WHERE ${alias}.id = ${key}`,
  );
  return sql`WHEN ${key} IS NOT NULL THEN ${found}`;
}

/** The links of a part: the select around them sees them under the same name. */
function chosenLinks(
  { engine }: Compiler,
  { alias }: MorphLinks,
  from: Sql,
  order: Sql,
  { start, limit }: Window,
): Sql {
  const most = engine.rowCount(limit ?? Number.MAX_SAFE_INTEGER);
  const first = engine.rowCount(start);
  return sql`(SELECT ${alias}.* FROM ${from} ORDER BY ${order} LIMIT ${most} OFFSET ${first}) AS ${alias}`;
}

/** `{data: …}`; the entries' attributes begin with `__type`. */
export function compileMorph(compiler: Compiler, population: MorphPopulation, rows: Rows): Sql {
  const { dialect, engine } = compiler;
  const { many } = population.relation;
  if (population.targets.length === 0) {
    return dialect.jsonObject([['data', many ? dialect.jsonEmptyArray : raw('NULL')]]);
  }
  const links = morphLinks(compiler, population.relation, rows);
  const targets = population.targets.map(({ column, entry }) => ({ key: links.key(entry.type.uid, column), entry }));
  const shown = sql`(${join(
    targets.map((target) => isShown(compiler, target)),
    ' OR ',
  )})`;
  const entry = sql`CASE ${join(
    targets.map((target) => targetJson(compiler, target)),
    ' ',
  )} END`;
  const order = engine.orderBy(links.position, false);
  const from = sql`${links.from}${where([links.on, shown])}`;
  const window = many ? population : { start: 0, limit: 1 };
  const part = partOf(compiler, window);
  const chosen = isWindowed(window) && !part ? chosenLinks(compiler, links, from, order, window) : from;
  const data = many
    ? dialect.neverNull(sql`SELECT ${dialect.jsonArrayAggregate(entry, order, part)} FROM ${chosen}`)
    : dialect.jsonFirst(entry, chosen, part && order);
  return dialect.jsonObject([['data', data]]);
}
