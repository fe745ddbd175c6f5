/** Populated polymorphic relations, whose targets are of several types. */
import { join, raw, type Sql, sql } from '../../database/sql.ts';
import type { EntrySelection, Population } from '../read-query.ts';
import { typeName } from '../../contract/type-name.ts';
import { entriesTable } from '../../contract/states.ts';
import { visibilityConditions, visible } from './compile-filter.ts';
import { type Compiler, where } from './compiler.ts';
import { entryJson, treeJson } from './compile-entry.ts';
import { morphLinks, type MorphLinks } from './morph-links.ts';
import { ownerOf, type Rows, type TableRows } from './rows.ts';
import { shownRows } from './shown-entries.ts';
import type { ShownLocale } from '../readable-attributes.ts';
import { deferredMarker, jsonOrOverflow } from './markers.ts';
import { boundedWindow, isWindowed, partOf, shownCount, type Window } from './window.ts';

type MorphPopulation = Population & { kind: 'morph' };

interface Target {
  /** The link's column for this target. */
  readonly key: Sql;
  readonly entry: EntrySelection;
}

/**
 * A target of a relation between entries: the id of the row that is shown of the entry to which the link leads; NULL if none is
 * visible.
 */
function shownTarget(compiler: Compiler, { key, entry }: Target, owner: TableRows, shown: ShownLocale): Target {
  if (!entry.type.localized) return { key, entry };
  const linked: TableRows = { kind: 'table', alias: compiler.alias(), type: entry.type };
  const way = { owner, shown, visible: visible(compiler, entry) };
  const { join: joined, on, target } = shownRows(compiler, way, linked, { type: entry.type, owns: false });
  const from = sql`${compiler.id(entriesTable(entry.type))} AS ${linked.alias}${joined}`;
  const conditions = where([sql`${linked.alias}.id = ${key}`, ...on, ...visibilityConditions(compiler, entry, target)]);
  return { key: sql`(SELECT ${target.alias}.id FROM ${from}${conditions})`, entry };
}

/** Whether a link leads to a visible entry. */
function isShown(compiler: Compiler, { key, entry }: Target): Sql {
  if (!entry.live && entry.narrowed === undefined) {
    return sql`${key} IS NOT NULL`;
  }
  const rows: TableRows = { kind: 'table', alias: compiler.alias(), type: entry.type };
  const table = sql`${compiler.id(entry.type.table)} AS ${rows.alias}`;
  return sql`${key} IN (SELECT ${rows.alias}.id FROM ${table}${where(visibilityConditions(compiler, entry, rows))})`;
}

/** The first attribute of entries reached through a polymorphic relation. */
export function typePair({ dialect }: Compiler, { type }: EntrySelection): readonly [string, Sql] {
  return ['__type', dialect.jsonScalar('text', dialect.text(typeName(type.uid)))];
}

function targetJson(compiler: Compiler, { key, entry }: Target): Sql {
  const { dialect } = compiler;
  const alias = compiler.alias();
  const rows: TableRows = { kind: 'table', alias, type: entry.type };
  const json = entryJson(compiler, entry, rows, [typePair(compiler, entry)]);
  // Never null: foreign keys guarantee that the row exists.
  return dialect.neverNull(
    sql`SELECT ${json} FROM ${dialect.id(entry.type.table)} AS ${alias} WHERE ${alias}.id = ${key}`,
  );
}

/** The links in the window, under the same alias for the enclosing SELECT. */
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

/** Builds the JSON for a link to a target; `index` is that of its type. */
type LinkJson = (target: Target, index: number) => Sql;

/** The entries of the relation, as a JSON array of `json`; for a to-one relation, a single one or NULL. */
export function morphData(compiler: Compiler, population: MorphPopulation, rows: Rows, json: LinkJson): Sql {
  const { dialect, engine } = compiler;
  const { many, shown: shownLocale } = population.relation;
  const links = morphLinks(compiler, population.relation, rows);
  const targets = population.targets
    .map(({ column, entry }) => ({ key: links.key(entry.type.uid, column), entry }))
    .map((target) => (shownLocale ? shownTarget(compiler, target, ownerOf(rows), shownLocale) : target));
  const shown = sql`(${join(
    targets.map((target) => isShown(compiler, target)),
    ' OR ',
  )})`;
  const entry = sql`CASE ${join(
    targets.map((target, index) => sql`WHEN ${target.key} IS NOT NULL THEN ${json(target, index)}`),
    ' ',
  )} END`;
  const order = engine.orderBy(links.position, { descending: false });
  const from = sql`${links.from}${where([links.on, shown])}`;
  const { window, most } = many
    ? boundedWindow<Window>(compiler, population)
    : { window: { start: 0, limit: 1 }, most: undefined };
  const part = partOf(compiler, window);
  const chosen = isWindowed(window) && !part ? chosenLinks(compiler, links, from, order, window) : from;
  if (!many) return dialect.jsonFirst(entry, chosen, part && order);
  const whole = dialect.jsonArrayAggregate(entry, order, part);
  const list = most === undefined ? whole : jsonOrOverflow(compiler, shownCount(compiler, window), most, whole);
  return dialect.neverNull(sql`SELECT ${list} FROM ${chosen}`);
}

/** The entries, whose attributes begin with `__type`. */
export function compileMorph(compiler: Compiler, population: MorphPopulation, rows: Rows): Sql {
  const { dialect, bounds } = compiler;
  const { many } = population.relation;
  const data = (json: Sql): Sql => treeJson(compiler, population.shape.morph(json));
  if (population.targets.length === 0) return data(many ? dialect.jsonEmptyArray : raw('NULL'));
  if (many && bounds?.kind === 'deferred') return data(deferredMarker(compiler, bounds.lists, population, rows));
  return data(morphData(compiler, population, rows, (target) => targetJson(compiler, target)));
}
