/** Edits component items in PostgreSQL's `json`. Unchanged values keep their exact text. */
import type { ItemEdit, ItemPlace, ItemsEdit } from '#contract/migrations/items-edit.ts';
import { sqlLiteral, sqlName } from './sql-text.ts';
import { filledMembers, memberCases, type MemberWriter } from './member-value.ts';
import { readable } from './readable.ts';

type NextAlias = () => string;

function counter(): NextAlias {
  let number = 0;
  return () => `j${(number += 1)}`;
}

const MEMBER_WRITER: MemberWriter = {
  text: (value) => `(${value} #>> '{}')`,
  json: (text) => `to_json((${text})::text)`,
  number: (text) => `${text}::json`,
  literal: sqlLiteral,
  constant: (value) => `${sqlLiteral(JSON.stringify(value))}::json`,
  concat: (first, second) => `${first} || ${second}`,
};

function memberValue(member: string, edit: ItemEdit, next: NextAlias): string {
  const cases = [
    ...edit.nested.map(
      ({ member: name, edit: items }) => `WHEN ${sqlLiteral(name)} THEN ${itemsValue(`${member}.value`, items, next)}`,
    ),
    ...memberCases(MEMBER_WRITER, `${member}.value`, edit),
  ];
  return cases.length === 0 ? `${member}.value` : `CASE ${member}.key ${cases.join(' ')} ELSE ${member}.value END`;
}

/** The place of members that are added to an item. */
const AFTER_ALL = 1_000_000_000;

function itemValue(item: string, edit: ItemEdit, next: NextAlias): string {
  const member = next();
  const renames = edit.rename.map(({ from, to }) => `WHEN ${sqlLiteral(from)} THEN ${sqlLiteral(to)}`);
  const key = renames.length === 0 ? `${member}.key` : `CASE ${member}.key ${renames.join(' ')} ELSE ${member}.key END`;
  const value = memberValue(member, edit, next);
  const isName = `${member}.key = '__component'`;
  const named =
    edit.renamedTo === undefined
      ? value
      : `CASE WHEN ${isName} THEN to_json(${sqlLiteral(edit.renamedTo)}::text) ELSE ${value} END`;
  const dropped = edit.drop.length === 0 ? '' : ` WHERE ${member}.key NOT IN (${edit.drop.map(sqlLiteral).join(', ')})`;
  const members = `FROM json_each(${item}) WITH ORDINALITY AS ${member} (key, value, place)${dropped}`;
  const fills = filledMembers(edit).map(({ member: name, from, value: given }, index) => {
    const where = from === undefined ? '' : ` WHERE ${item} -> ${sqlLiteral(from)} IS NULL`;
    return ` UNION ALL SELECT ${sqlLiteral(name)}, ${MEMBER_WRITER.constant(given)}, ${AFTER_ALL + index}${where}`;
  });
  if (fills.length === 0) return `(SELECT json_object_agg(${key}, ${named} ORDER BY ${member}.place) ${members})`;
  const rows = `SELECT ${key} AS key, ${named} AS value, ${member}.place ${members}${fills.join('')}`;
  return `(SELECT json_object_agg(key, value ORDER BY place) FROM (${rows}) AS ${next()})`;
}

function anyItem(item: string, edits: readonly ItemEdit[], next: NextAlias): string {
  const [only] = edits;
  if (only && only.component === undefined) return itemValue(item, only, next);
  const cases = edits.flatMap((edit) => {
    if (edit.component === undefined || edit.remove) return [];
    return [`WHEN ${sqlLiteral(edit.component)} THEN ${itemValue(item, edit, next)}`];
  });
  return cases.length === 0 ? item : `CASE ${item} ->> '__component' ${cases.join(' ')} ELSE ${item} END`;
}

/** The items of a value as rows; none if it isn't a list, or isn't an item. */
function itemRows(value: string, list: boolean): string {
  if (!list) return `json_array_elements(CASE json_typeof(${value}) WHEN 'object' THEN json_build_array(${value}) END)`;
  return `json_array_elements(CASE json_typeof(${value}) WHEN 'array' THEN ${value} END)`;
}

function itemsValue(value: string, { list, becomes, items }: ItemsEdit, next: NextAlias): string {
  const each = next();
  const removed = items.flatMap(({ component, remove }) => (remove && component !== undefined ? [component] : []));
  const kept =
    removed.length === 0
      ? ''
      : ` WHERE coalesce(${each}.value ->> '__component', '') NOT IN (${removed.map(sqlLiteral).join(', ')})`;
  const source = `${itemRows(value, list)} WITH ORDINALITY AS ${each} (value, place)`;
  const item = anyItem(`${each}.value`, items, next);
  const asList = becomes === undefined ? list : becomes === 'list';
  return asList
    ? `(SELECT coalesce(json_agg(${item} ORDER BY ${each}.place), '[]'::json) FROM ${source}${kept})`
    : `(SELECT ${item} FROM ${source}${kept} ORDER BY ${each}.place LIMIT 1)`;
}

/** The UPDATE that edits the items in a column. */
export function postgresEditItems(table: string, column: string, edit: ItemsEdit): readonly string[] {
  const name = sqlName(column);
  const value = readable(itemsValue(`${sqlName(table)}.${name}`, edit, counter()), 1);
  return [`UPDATE ${sqlName(table)}\n  SET ${name} = ${value}\n  WHERE ${name} IS NOT NULL;`];
}

/** The FROM and WHERE clauses for the items at a place; `t` is the alias of the owner's rows. */
function fromItems(owner: string, { column, list, component, inside }: ItemPlace): string {
  const sources = [`${itemRows(`t.${sqlName(column)}`, list)} AS e0 (value)`];
  for (const [index, { member, list: isList }] of inside.entries()) {
    const value = `(e${index}.value -> ${sqlLiteral(member)})`;
    sources.push(`${itemRows(value, isList)} AS e${index + 1} (value)`);
  }
  const where = component === undefined ? '' : ` WHERE e0.value ->> '__component' = ${sqlLiteral(component)}`;
  return `FROM ${[`${sqlName(owner)} AS t`, ...sources].join(' CROSS JOIN LATERAL ')}${where}`;
}

/** A query for the ids of the items at a place. */
export function postgresItemIds(owner: string, place: ItemPlace): string {
  return `SELECT (e${place.inside.length}.value ->> 'id')::bigint AS id ${fromItems(owner, place)}`;
}

/** A query for the text of a member of the items at a place, and the ids of their rows. */
export function postgresItemValues(owner: string, place: ItemPlace, member: string): string {
  const value = `e${place.inside.length}.value ->> ${sqlLiteral(member)}`;
  return `SELECT t."id" AS id, ${value} AS value ${fromItems(owner, place)}`;
}
