/** Statements that move or delete rows. They are the same on all engines except for quoting and JSON. */
import { COLUMN_NAMES as NAMES } from '#contract/column-names.ts';
import type { Change, LinkColumn, RelationStorage, RowsToDelete } from '#contract/migrations/change.ts';
import type { ItemPlace } from '#contract/migrations/items-edit.ts';
import { POSITION_STEP } from '#contract/position-step.ts';
import type { Dialect } from '../../model/content-model.ts';
import type { Fill } from './fill-sql.ts';
import { guardItems, guardRows } from './guard-sql.ts';
import { misfit } from './misfit.ts';
import { isNotMidnight } from './text/member-value.ts';
import type { Step } from '../plan/step.ts';
import type { SqlLine } from './sql-line.ts';
import { nameList, type SqlWriter } from './sql-writer.ts';

type CopyRelation = Extract<Change, { kind: 'copyRelation' }>;

/** All pairs of a relation: owner_id, target_id, and the position of each in the list of the other. */
function pairsOf(writer: SqlWriter, storage: RelationStorage): readonly string[] {
  const { id } = writer;
  if (storage.kind === 'link') {
    const inverse = storage.inversePosition ? NAMES.inversePosition : NAMES.owner;
    return [
      `${id(NAMES.owner)} AS owner_id, ${id(NAMES.target)} AS target_id, ${id(NAMES.position)} AS place, ${id(inverse)} AS inverse_place`,
      `FROM ${id(storage.table)}`,
    ];
  }
  const inverse = storage.position === undefined ? id(NAMES.id) : `COALESCE(${id(storage.position)}, ${id(NAMES.id)})`;
  return [
    `${id(NAMES.id)} AS owner_id, ${id(storage.column)} AS target_id, 1 AS place, ${inverse} AS inverse_place`,
    `FROM ${id(storage.table)}`,
    `WHERE ${id(storage.column)} IS NOT NULL`,
  ];
}

function toLinks(writer: SqlWriter, { from, mirrored }: CopyRelation, to: Extract<RelationStorage, { kind: 'link' }>) {
  const columns = [NAMES.owner, NAMES.target, NAMES.position, ...(to.inversePosition ? [NAMES.inversePosition] : [])];
  const straight = [NAMES.owner, NAMES.target, 'place', 'inverse_place'];
  const values = (mirrored ? [NAMES.target, NAMES.owner, 'inverse_place', 'place'] : straight).slice(0, columns.length);
  return [
    `INSERT INTO ${writer.id(to.table)} ${nameList(writer, columns)}\n  SELECT ${values.map((name) => `pairs.${name}`).join(', ')}\n  FROM (SELECT ${pairsOf(writer, from).join(' ')}) AS pairs;`,
  ];
}

/** Copies the first target of each owner. If a target may have only one owner, only its first owner keeps it. */
function toColumn(
  writer: SqlWriter,
  { from, mirrored }: CopyRelation,
  to: Extract<RelationStorage, { kind: 'column' }>,
) {
  const { id, copiesToUpdate } = writer;
  const [own, other, place, otherPlace] = mirrored
    ? [NAMES.target, NAMES.owner, 'inverse_place', 'place']
    : [NAMES.owner, NAMES.target, 'place', 'inverse_place'];
  const distinct = copiesToUpdate && from.table === to.table ? 'DISTINCT ' : '';
  const pairs = `(SELECT ${distinct}${pairsOf(writer, from).join(' ')}) AS pairs`;
  const [table, column] = [id(to.table), id(to.column)];
  const row = `${table}.${id(NAMES.id)}`;
  const unique = to.unique
    ? [
        `UPDATE ${table}\n  SET ${column} = NULL\n  WHERE ${column} IS NOT NULL AND ${id(NAMES.id)} NOT IN (\n    SELECT first_id FROM (\n      SELECT MIN(${id(NAMES.id)}) AS first_id FROM ${table} WHERE ${column} IS NOT NULL GROUP BY ${to.unique.map(id).join(', ')}\n    ) AS firsts\n  );`,
      ]
    : [];
  const position =
    to.position === undefined
      ? []
      : [
          `UPDATE ${table}\n  SET ${id(to.position)} = (\n    SELECT pairs.${otherPlace} FROM ${pairs}\n    WHERE pairs.${own} = ${row} AND pairs.${other} = ${table}.${column}\n    LIMIT 1\n  )\n  WHERE ${column} IS NOT NULL;`,
        ];
  return [
    `UPDATE ${table}\n  SET ${column} = (\n    SELECT pairs.${other} FROM ${pairs}\n    WHERE pairs.${own} = ${row}\n    ORDER BY pairs.${place}, pairs.${other}\n    LIMIT 1\n  );`,
    ...unique,
    ...position,
  ];
}

/** Copies the links of a relation from one storage to another. */
export function copyRelation(writer: SqlWriter, change: CopyRelation): readonly string[] {
  const { to } = change;
  return to.kind === 'link' ? toLinks(writer, change, to) : toColumn(writer, change, to);
}

export function itemsAt(writer: SqlWriter, owner: string, places: readonly ItemPlace[]): string {
  const queries = places.map(
    (place) => `    SELECT items.id FROM (${writer.itemIds(owner, place)}) AS items WHERE items.id IS NOT NULL`,
  );
  return `(\n${queries.join('\n    UNION ALL\n')}\n  )`;
}

/** A condition on the rows that are not the first of each group. */
function notFirst({ id }: SqlWriter, table: string, group: readonly string[], order: string): string {
  return `${id(NAMES.id)} NOT IN (\n    SELECT ranked.${id(NAMES.id)} FROM (\n      SELECT ${id(NAMES.id)}, ROW_NUMBER() OVER (PARTITION BY ${group.map(id).join(', ')} ORDER BY ${order}) AS place FROM ${id(table)}\n    ) AS ranked WHERE ranked.place = 1\n  )`;
}

/** The order of the rows of an entry, of which the first one stays. */
export function localeOrder({ id, text }: SqlWriter, locales: readonly string[]): string {
  const ranks = locales.map((locale, index) => `WHEN ${text(locale)} THEN ${index}`).join(' ');
  const rank = ranks === '' ? id(NAMES.locale) : `CASE ${id(NAMES.locale)} ${ranks} ELSE ${locales.length} END`;
  return `${rank}, ${id(NAMES.id)}`;
}

/** Moves links to rows of other locales to the row of the same entry that stays. */
function moveLinks(writer: SqlWriter, target: string, locales: readonly string[], link: LinkColumn): readonly string[] {
  const { id, updateFrom } = writer;
  const { table, column, primaryKey, within, position, isEntry, losesLocales } = link;
  const stays = `FIRST_VALUE(${id(NAMES.id)}) OVER (PARTITION BY ${id(NAMES.documentId)} ORDER BY ${localeOrder(writer, locales)})`;
  const rows = `(SELECT ${id(NAMES.id)} AS from_row, ${stays} AS to_row FROM ${id(target)})`;
  const move = updateFrom({
    table,
    set: `${id(column)} = moved.to_row`,
    rows: `(SELECT from_row, to_row FROM ${rows} AS ranked WHERE from_row <> to_row) AS moved`,
    where: `${id(table)}.${id(column)} = moved.from_row`,
  });
  if (!within) return [move];
  const own = (name: string): string => `links.${id(name)}`;
  const order = [...(position === undefined ? [] : [position]), ...primaryKey].map(own);
  // An entry that points to the row that stays keeps its link.
  const isFirst = (condition: string): string => `CASE WHEN ${condition} THEN 0 ELSE 1 END`;
  const first = [
    ...(losesLocales ? [isFirst(`${own(NAMES.id)} IN (SELECT ${stays} FROM ${id(table)})`)] : []),
    ...(isEntry ? [isFirst(`${own(column)} = ranked.to_row`)] : []),
    ...order,
  ];
  const place = `ROW_NUMBER() OVER (PARTITION BY ${[...within.map(own), 'ranked.to_row'].join(', ')} ORDER BY ${first.join(', ')})`;
  const keys = primaryKey.map(id).join(', ');
  const later = `SELECT ${keys} FROM (\n      SELECT ${primaryKey.map(own).join(', ')}, ${place} AS place\n      FROM ${id(table)} AS links JOIN ${rows} AS ranked ON ranked.from_row = ${own(column)}\n    ) AS placed WHERE placed.place > 1`;
  const where = `(${keys}) IN (\n    ${later}\n  )`;
  const drop = isEntry
    ? `UPDATE ${id(table)}\n  SET ${id(column)} = NULL\n  WHERE ${where};`
    : `DELETE FROM ${id(table)}\n  WHERE ${where};`;
  return [drop, move];
}

function condition(writer: SqlWriter, table: string, rows: RowsToDelete): string {
  const { id, text } = writer;
  const byPlace = `${id(NAMES.position)}, ${id(NAMES.id)}`;
  switch (rows.of) {
    case 'locale':
      return `${id(NAMES.locale)} = ${text(rows.locale)}`;
    case 'otherLocales':
      return notFirst(writer, table, [NAMES.documentId], localeOrder(writer, rows.locales));
    case 'target':
    case 'ruled':
      return `${id(rows.column)} IS NOT NULL`;
    case 'laterLinks':
      return notFirst(writer, table, [NAMES.owner], byPlace);
    case 'goneItems':
      return rows.places.length === 0
        ? '1 = 1'
        : `${id(NAMES.item)} NOT IN ${itemsAt(writer, rows.owner, rows.places)}`;
    case 'itemAttributes': {
      const attributes = `${id(NAMES.itemAttribute)} IN (${rows.attributes.map(text).join(', ')})`;
      const all = `${attributes}\n    AND ${id(NAMES.item)} IN ${itemsAt(writer, rows.owner, rows.places)}`;
      if (!rows.keepFirst) return all;
      return `${all}\n    AND ${notFirst(writer, table, [NAMES.owner, NAMES.item, NAMES.itemAttribute], byPlace)}`;
    }
  }
}

/** Deletes rows that a change makes meaningless. */
export function deleteRows(writer: SqlWriter, table: string, rows: RowsToDelete): readonly string[] {
  const { links = [], locales = [] } = rows.of === 'otherLocales' ? rows : {};
  const moves = links.flatMap((link) => moveLinks(writer, table, locales, link));
  return [...moves, `DELETE FROM ${writer.id(table)}\n  WHERE ${condition(writer, table, rows)};`];
}

/** Renumbers the lists in which entries share a position or have none. */
export function numberLists(
  { id, updateFrom }: SqlWriter,
  { table, key, position, entry }: Extract<Change, { kind: 'numberLists' }>,
): readonly string[] {
  const [rows, list, place, own] = [table, key, position, entry].map(id) as [string, string, string, string];
  const tied = `SELECT ${list} FROM ${rows}\n    WHERE ${list} IS NOT NULL\n    GROUP BY ${list}\n    HAVING COUNT(*) > COUNT(DISTINCT ${place})`;
  const number = `ROW_NUMBER() OVER (PARTITION BY ${list} ORDER BY ${place} IS NOT NULL, ${place}, ${own})`;
  const numbered = `SELECT ${list} AS list, ${own} AS entry, ${number} AS number FROM ${rows} WHERE ${list} IN (\n    ${tied}\n  )`;
  return [
    updateFrom({
      table,
      set: `${place} = numbered.number * ${POSITION_STEP}`,
      rows: `(${numbered}) AS numbered`,
      where: `${rows}.${list} = numbered.list AND ${rows}.${own} = numbered.entry`,
    }),
  ];
}

/** The rows of a localized type with the first row of the entry of each. */
function withFirsts({ id }: SqlWriter, target: string): string {
  const [own, document] = [id(NAMES.id), id(NAMES.documentId)];
  const firsts = `SELECT ${document} AS document, MIN(${own}) AS first_id FROM ${id(target)} GROUP BY ${document}`;
  return `SELECT entries.${own} AS row_id, firsts.first_id FROM ${id(target)} AS entries JOIN (${firsts}) AS firsts ON firsts.document = entries.${document}`;
}

/** Of references to rows of one entry by the same owner, or to one entry where there may be only one, the first is kept. */
function withoutRepeats(writer: SqlWriter, change: Extract<Change, { kind: 'nameEntries' }>): readonly string[] {
  const { id } = writer;
  const { table, column, target, owner, unique } = change;
  const key = id(column);
  const ranked = (group: readonly string[], columns: readonly string[], order: string): string => {
    const partition = [...group.map((name) => `links.${id(name)}`), 'named.first_id'].join(', ');
    const shown = columns.map((name) => `links.${id(name)}`).join(', ');
    return `SELECT ${shown}, ROW_NUMBER() OVER (PARTITION BY ${partition} ORDER BY ${order}) AS place FROM ${id(table)} AS links JOIN (${withFirsts(writer, target)}) AS named ON named.row_id = links.${key}`;
  };
  if (owner) {
    const columns = [...owner, column];
    const list = columns.map(id).join(', ');
    const order = `links.${id(NAMES.position)}, links.${key}`;
    const later = `SELECT ${columns.map((name) => `ranked.${id(name)}`).join(', ')} FROM (${ranked(owner, columns, order)}) AS ranked WHERE ranked.place > 1`;
    return [`DELETE FROM ${id(table)}\n  WHERE (${list}) IN (\n    ${later}\n  );`];
  }
  if (!unique) return [];
  const others = unique.filter((name) => name !== column);
  const later = `SELECT ranked.${id(NAMES.id)} FROM (${ranked(others, [NAMES.id], `links.${id(NAMES.id)}`)}) AS ranked WHERE ranked.place > 1`;
  return [`UPDATE ${id(table)}\n  SET ${key} = NULL\n  WHERE ${id(NAMES.id)} IN (\n    ${later}\n  );`];
}

/** Makes references to entries refer to the first row of each. */
export function nameEntries(writer: SqlWriter, change: Extract<Change, { kind: 'nameEntries' }>): readonly string[] {
  const { id, updateFrom } = writer;
  const { table, column, target } = change;
  return [
    ...withoutRepeats(writer, change),
    updateFrom({
      table,
      set: `${id(column)} = named.first_id`,
      rows: `(${withFirsts(writer, target)}) AS named`,
      where: `${id(table)}.${id(column)} = named.row_id AND ${id(table)}.${id(column)} <> named.first_id`,
    }),
  ];
}

/** Fills a new table with rows of another. */
export function copyRows(
  { id }: SqlWriter,
  { table, from, columns, published }: Extract<Change, { kind: 'copyRows' }>,
): readonly string[] {
  const list = columns.map(id).join(', ');
  const where = published ? `\n  WHERE ${id(NAMES.publishedAt)} IS NOT NULL` : '';
  return [`INSERT INTO ${id(table)} (${list})\n  SELECT ${list}\n  FROM ${id(from)}${where};`];
}

/** Copies a column from the rows with the same ids. */
export function copyColumn(
  { id }: SqlWriter,
  { table, from, column }: Extract<Change, { kind: 'copyColumn' }>,
): readonly string[] {
  const [rows, own] = [id(table), id(NAMES.id)];
  const value = `SELECT other.${id(column)} FROM ${id(from)} AS other WHERE other.${own} = ${rows}.${own}`;
  return [`UPDATE ${rows}\n  SET ${id(column)} = (${value});`];
}

/** Lets the first row of each entry claim the value that all its rows have. */
export function claimValues(
  { id, updateFrom }: SqlWriter,
  { table, column, claim }: Extract<Change, { kind: 'claimValues' }>,
): readonly string[] {
  const [rows, own] = [id(table), id(NAMES.id)];
  const firsts = `SELECT MIN(${own}) AS first_id FROM ${rows} GROUP BY ${id(NAMES.documentId)}`;
  return [
    updateFrom({
      table,
      set: `${id(claim)} = ${id(column)}`,
      rows: `(${firsts}) AS firsts`,
      where: `${rows}.${own} = firsts.first_id`,
    }),
  ];
}

/** Renames attributes in the links of component items. */
export function renameItemLinks(
  writer: SqlWriter,
  { table, owner, places, renames }: Extract<Change, { kind: 'renameItemLinks' }>,
): readonly string[] {
  const { id, text } = writer;
  const attribute = id(NAMES.itemAttribute);
  const cases = renames.map(({ from, to }) => `WHEN ${text(from)} THEN ${text(to)}`).join(' ');
  const names = renames.map(({ from }) => text(from)).join(', ');
  return [
    `UPDATE ${id(table)}\n  SET ${attribute} = CASE ${attribute} ${cases} ELSE ${attribute} END\n  WHERE ${attribute} IN (${names})\n    AND ${id(NAMES.item)} IN ${itemsAt(writer, owner, places)};`,
  ];
}

/** Replaces removed values of an enumeration. */
export function mappedValues(
  { id, text }: Pick<SqlWriter, 'id' | 'text'>,
  { table, column, values }: Extract<Change, { kind: 'mapValues' }>,
): Fill {
  const name = id(column);
  const cases = values.map(({ from, to }) => `WHEN ${text(from)} THEN ${text(to)}`).join(' ');
  const former = values.map(({ from }) => text(from)).join(', ');
  return { table, column, value: `CASE ${name} ${cases} ELSE ${name} END`, where: `${name} IN (${former})` };
}

/** Stops the migration if a column has a value that is not in its enumeration. */
export function checkValues(
  writer: SqlWriter,
  { table, column, values, cause = table }: Extract<Change, { kind: 'checkValues' }>,
): readonly SqlLine[] {
  const where = `${writer.id(column)} NOT IN (${values.map(writer.text).join(', ')})`;
  return guardRows(writer, { table, columns: [column], where, what: `${cause} has values that are not in its enum` });
}

/** Stops the migration if component items have a value that is not in their enumeration. */
export function checkItems(
  writer: SqlWriter,
  { items, member, values, cause = member }: Extract<Change, { kind: 'checkItems' }>,
): readonly SqlLine[] {
  const where = `value NOT IN (${values.map(writer.text).join(', ')})`;
  const all = items.map((one) => ({ ...one, member }));
  return guardItems(writer, { items: all, where, what: `${cause} has values that are not in its enum` });
}

/** Stops the migration if component items lack a value that they must have. */
export function checkRequired(
  writer: SqlWriter,
  { items, member, cause = '' }: Extract<Change, { kind: 'checkRequired' }>,
): readonly SqlLine[] {
  const all = items.map((one) => ({ ...one, member: member ?? NAMES.id }));
  const where = member === undefined ? '1 = 1' : 'value IS NULL';
  const which = items.every(({ published }) => published) ? 'published items' : 'items';
  return guardItems(writer, { items: all, where, what: `${cause} is required, but ${which} have no value` });
}

/** Stops the migration if component items have values that a conversion would change. All are read from JSON as text. */
export function checkMembers(
  writer: SqlWriter,
  dialect: Dialect,
  { from, to, items }: Extract<Step, { kind: 'checkMembers' }>,
): readonly SqlLine[] {
  const isMoment = from === 'datetime' && to === 'date';
  const where = isMoment ? isNotMidnight('value') : misfit(dialect, 'text', to, 'value');
  return where === undefined ? [] : guardItems(writer, { items, where, what: `components have non-${to} values` });
}

/** Renames a type in permissions, and in the document id of a single type. */
export function renameType(
  writer: SqlWriter,
  { from, to, permissions, single }: Extract<Change, { kind: 'renameType' }>,
): readonly string[] {
  const { id, text, concat } = writer;
  const action = id('action');
  const actions = permissions.map(
    (table) =>
      `UPDATE ${id(table)}\n  SET ${action} = ${concat(text(`${to}.`), `substr(${action}, ${from.length + 2})`)}\n  WHERE substr(${action}, 1, ${from.length + 1}) = ${text(`${from}.`)};`,
  );
  // Running servers reload the permissions when the version changes.
  const noticed =
    permissions.length > 0 ? [`UPDATE ${id('access_changes')}\n  SET ${id('version')} = ${id('version')} + 1;`] : [];
  const documents =
    single === undefined
      ? []
      : [
          `UPDATE ${id(single)}\n  SET ${id(NAMES.documentId)} = ${text(to)}\n  WHERE ${id(NAMES.documentId)} = ${text(from)};`,
        ];
  return [...actions, ...noticed, ...documents];
}
