/** Edits component items in SQLite's JSON text. Unchanged values keep their exact text. */
import type { ItemEdit, ItemPlace, ItemsEdit } from '#contract/migrations/items-edit.ts';
import { sqlLiteral, sqlName } from './sql-text.ts';
import { memberPath } from './json-path.ts';
import { filledMembers, memberCases, type MemberWriter } from './member-value.ts';
import { readable } from './readable.ts';

/** Returns a new alias for each nested query. */
type NextAlias = () => string;

function counter(): NextAlias {
  let number = 0;
  return () => `j${(number += 1)}`;
}

const MEMBER_WRITER: MemberWriter = {
  text: (value) => `CAST((${value}) ->> '$' AS text)`,
  json: (text) => `json_quote(${text})`,
  number: (text) => text,
  literal: sqlLiteral,
  constant: (value) => `json(${sqlLiteral(JSON.stringify(value))})`,
  concat: (first, second) => `${first} || ${second}`,
};

/** The value of a member of `item`; `member` is the alias of the rows of its members. */
function memberValue(item: string, member: string, edit: ItemEdit, next: NextAlias): string {
  const value = `${item} -> ${member}.fullkey`;
  const inner = edit.nested.map(
    ({ member: name, edit: items }) => `WHEN ${sqlLiteral(name)} THEN ${itemsValue(`(${value})`, items, next)}`,
  );
  const cases = [...inner, ...memberCases(MEMBER_WRITER, value, edit)];
  return cases.length === 0 ? `json(${value})` : `json(CASE ${member}.key ${cases.join(' ')} ELSE ${value} END)`;
}

function itemValue(item: string, edit: ItemEdit, next: NextAlias): string {
  const member = next();
  const renames = [...edit.rename.map(({ from, to }) => `WHEN ${sqlLiteral(from)} THEN ${sqlLiteral(to)}`)];
  const key = renames.length === 0 ? `${member}.key` : `CASE ${member}.key ${renames.join(' ')} ELSE ${member}.key END`;
  const dropped = edit.drop.length === 0 ? '' : ` WHERE ${member}.key NOT IN (${edit.drop.map(sqlLiteral).join(', ')})`;
  const object = `(SELECT json_group_object(${key}, ${memberValue(item, member, edit, next)}) FROM json_each(${item}) AS ${member}${dropped})`;
  const fills = filledMembers(edit).map(
    (one) => `, ${sqlLiteral(memberPath(one.member))}, ${MEMBER_WRITER.constant(one.value)}`,
  );
  const filled =
    fills.length === 0
      ? object
      : `CASE json_type(${item}) WHEN 'object' THEN json_insert(${object}${fills.join('')}) ELSE ${item} END`;
  if (edit.renamedTo === undefined) return filled;
  return `json_set(${filled}, '$.__component', ${sqlLiteral(edit.renamedTo)})`;
}

/** Edits each item of a dynamic zone according to its component; others are unchanged. */
function anyItem(item: string, edits: readonly ItemEdit[], next: NextAlias): string {
  const cases = edits.flatMap((edit) => {
    if (edit.component === undefined || edit.remove) return [];
    return [`WHEN ${sqlLiteral(edit.component)} THEN ${itemValue(item, edit, next)}`];
  });
  const [only] = edits;
  if (only && only.component === undefined) return itemValue(item, only, next);
  return cases.length === 0 ? item : `CASE ${item} ->> '$.__component' ${cases.join(' ')} ELSE ${item} END`;
}

/** The JSON text of a value with its items edited; NULL if there is none. */
function itemsValue(value: string, { list, becomes, items }: ItemsEdit, next: NextAlias): string {
  const each = next();
  const removed = items.flatMap(({ component, remove }) => (remove && component !== undefined ? [component] : []));
  const kept =
    removed.length === 0
      ? ''
      : ` WHERE coalesce(${each}.value ->> '$.__component', '') NOT IN (${removed.map(sqlLiteral).join(', ')})`;
  const source = `json_each(${list ? value : `json_array(json(${value}))`}) AS ${each}`;
  const item = anyItem(`${each}.value`, items, next);
  const asList = becomes === undefined ? list : becomes === 'list';
  return asList
    ? `(SELECT json_group_array(json(${item}) ORDER BY ${each}.key) FROM ${source}${kept})`
    : `(SELECT json(${item}) FROM ${source}${kept} ORDER BY ${each}.key LIMIT 1)`;
}

/** The UPDATE that edits the items in a column. */
export function sqliteEditItems(table: string, column: string, edit: ItemsEdit): readonly string[] {
  const name = sqlName(column);
  const value = readable(itemsValue(`${sqlName(table)}.${name}`, edit, counter()), 1);
  return [`UPDATE ${sqlName(table)}\n  SET ${name} = ${value}\n  WHERE ${name} IS NOT NULL;`];
}

/** The FROM and WHERE clauses for the items at a place; `t` is the alias of the owner's rows. */
function fromItems(owner: string, { column, list, component, inside }: ItemPlace): string {
  const each = (value: string, isList: boolean): string =>
    isList ? value : `CASE WHEN ${value} IS NOT NULL THEN json_array(json(${value})) END`;
  const sources = [`json_each(${each(`t.${sqlName(column)}`, list)}) AS e0`];
  for (const [index, step] of inside.entries()) {
    const value = `(e${index}.value -> ${sqlLiteral(memberPath(step.member))})`;
    sources.push(`json_each(${each(value, step.list)}) AS e${index + 1}`);
  }
  const where = component === undefined ? '' : ` WHERE e0.value ->> '$.__component' = ${sqlLiteral(component)}`;
  return `FROM ${[`${sqlName(owner)} AS t`, ...sources].join(', ')}${where}`;
}

/** A query for the ids of the items at a place. */
export function sqliteItemIds(owner: string, place: ItemPlace): string {
  return `SELECT e${place.inside.length}.value ->> '$.id' AS id ${fromItems(owner, place)}`;
}

/** A query for the text of a member of the items at a place, and the ids of their rows. */
export function sqliteItemValues(owner: string, place: ItemPlace, member: string): string {
  const value = `CAST(e${place.inside.length}.value ->> ${sqlLiteral(memberPath(member))} AS text)`;
  return `SELECT t."id" AS id, ${value} AS value ${fromItems(owner, place)}`;
}
