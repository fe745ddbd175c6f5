/** Component items in the JSON text of MySQL and MariaDB. */
import type { ItemEdit, ItemPlace, ItemsEdit } from '#contract/migrations/items-edit.ts';
import { mysqlLiteral, mysqlName } from './sql-text.ts';
import { memberPath } from './json-path.ts';
import { filledMembers, memberCases, type MemberWriter } from './member-value.ts';
import { readable } from './readable.ts';

type NextAlias = () => string;

function counter(): NextAlias {
  let number = 0;
  return () => `j${(number += 1)}`;
}

/** `JSON_UNQUOTE` turns JSON null into the text 'null'. The collation makes comparisons case-sensitive in every session. */
function textOf(value: string): string {
  return `CASE WHEN JSON_TYPE(${value}) <> 'NULL' THEN JSON_UNQUOTE(${value}) COLLATE utf8mb4_bin END`;
}

const MEMBER_WRITER: MemberWriter = {
  text: (value) => `(${textOf(value)})`,
  json: (text) => `COALESCE(JSON_QUOTE(${text}), 'null')`,
  number: (text) => `COALESCE(${text}, 'null')`,
  literal: mysqlLiteral,
  constant: (value) => mysqlLiteral(JSON.stringify(value)),
  concat: (first, second) => `CONCAT(${first}, ${second})`,
};

function memberValue(item: string, member: string, edit: ItemEdit, next: NextAlias): string {
  const value = `JSON_EXTRACT(${item}, CONCAT('$."', ${member}.name, '"'))`;
  const cases = [
    ...edit.nested.map(
      ({ member: name, edit: items }) => `WHEN ${mysqlLiteral(name)} THEN ${itemsValue(value, items, next)}`,
    ),
    ...memberCases(MEMBER_WRITER, value, edit),
    ...(edit.renamedTo === undefined ? [] : [`WHEN '__component' THEN JSON_QUOTE(${mysqlLiteral(edit.renamedTo)})`]),
  ];
  return cases.length === 0 ? value : `CASE ${member}.name ${cases.join(' ')} ELSE ${value} END`;
}

function itemValue(item: string, edit: ItemEdit, next: NextAlias): string {
  const member = next();
  const renames = edit.rename.map(({ from, to }) => `WHEN ${mysqlLiteral(from)} THEN ${mysqlLiteral(to)}`);
  const key =
    renames.length === 0 ? `${member}.name` : `CASE ${member}.name ${renames.join(' ')} ELSE ${member}.name END`;
  const dropped =
    edit.drop.length === 0 ? '' : ` WHERE ${member}.name NOT IN (${edit.drop.map(mysqlLiteral).join(', ')})`;
  const pair = `CONCAT(JSON_QUOTE(${key}), ':', ${memberValue(item, member, edit, next)})`;
  const source = `JSON_TABLE(JSON_KEYS(${item}), '$[*]' COLUMNS (place FOR ORDINALITY, name varchar(255) PATH '$')) AS ${member}`;
  const pairs = `GROUP_CONCAT(${pair} ORDER BY ${member}.place SEPARATOR ',')`;
  const fills = filledMembers(edit).map(({ member: name, from, value }) => {
    const filled = mysqlLiteral(`${JSON.stringify(name)}:${JSON.stringify(value)}`);
    if (from === undefined) return `, ${filled}`;
    return `, CASE WHEN NOT JSON_CONTAINS_PATH(${item}, 'one', ${mysqlLiteral(memberPath(from))}) THEN ${filled} END`;
  });
  const rows = `FROM ${source}${dropped}`;
  if (fills.length === 0) return `(SELECT CONCAT('{', ${pairs}, '}') ${rows})`;
  const filled = `(SELECT CONCAT('{', CONCAT_WS(',', ${pairs}${fills.join('')}), '}') ${rows})`;
  return `CASE JSON_TYPE(${item}) WHEN 'OBJECT' THEN ${filled} ELSE ${item} END`;
}

function anyItem(item: string, edits: readonly ItemEdit[], next: NextAlias): string {
  const [only] = edits;
  if (only && only.component === undefined) return itemValue(item, only, next);
  const cases = edits.flatMap((edit) => {
    if (edit.component === undefined || edit.remove) return [];
    return [`WHEN ${mysqlLiteral(edit.component)} THEN ${itemValue(item, edit, next)}`];
  });
  if (cases.length === 0) return item;
  return `CASE JSON_UNQUOTE(JSON_EXTRACT(${item}, '$.__component')) ${cases.join(' ')} ELSE ${item} END`;
}

function itemRows(value: string, list: boolean, alias: string): string {
  const path = list ? '$[*]' : '$';
  return `JSON_TABLE(${value}, '${path}' COLUMNS (place FOR ORDINALITY, value JSON PATH '$', id bigint PATH '$.id', component varchar(255) PATH '$.__component')) AS ${alias}`;
}

function itemsValue(value: string, { list, becomes, items }: ItemsEdit, next: NextAlias): string {
  const each = next();
  const removed = items.flatMap(({ component, remove }) => (remove && component !== undefined ? [component] : []));
  const kept =
    removed.length === 0
      ? ''
      : ` WHERE COALESCE(${each}.component, '') NOT IN (${removed.map(mysqlLiteral).join(', ')})`;
  const item = anyItem(`${each}.value`, items, next);
  const asList = becomes === undefined ? list : becomes === 'list';
  const source = `${itemRows(value, list, each)}${kept}`;
  return asList
    ? `(SELECT CONCAT('[', COALESCE(GROUP_CONCAT(${item} ORDER BY ${each}.place SEPARATOR ','), ''), ']') FROM ${source})`
    : `(SELECT ${item} FROM ${source} ORDER BY ${each}.place LIMIT 1)`;
}

/** Raises the limit of GROUP_CONCAT for clients other than our server, which sets it in every session. */
const LONG_TEXT = 'SET SESSION group_concat_max_len = 4294967295;';

/** The UPDATE that edits the items in a column. */
export function mysqlEditItems(table: string, column: string, edit: ItemsEdit): readonly string[] {
  const name = mysqlName(column);
  const value = readable(itemsValue(`${mysqlName(table)}.${name}`, edit, counter()), 1);
  return [LONG_TEXT, `UPDATE ${mysqlName(table)}\n  SET ${name} = ${value}\n  WHERE ${name} IS NOT NULL;`];
}

/** The FROM and WHERE clauses for the items at a place; `t` is the alias of the owner's rows. */
function fromItems(owner: string, { column, list, component, inside }: ItemPlace): string {
  const sources = [itemRows(`t.${mysqlName(column)}`, list, 'e0')];
  for (const [index, { member, list: isList }] of inside.entries()) {
    const value = `JSON_EXTRACT(e${index}.value, ${mysqlLiteral(memberPath(member))})`;
    sources.push(itemRows(value, isList, `e${index + 1}`));
  }
  const where = component === undefined ? '' : ` WHERE e0.component = ${mysqlLiteral(component)}`;
  return `FROM ${[`${mysqlName(owner)} AS t`, ...sources].join(' JOIN ')}${where}`;
}

/** A query for the ids of the items at a place. */
export function mysqlItemIds(owner: string, place: ItemPlace): string {
  return `SELECT e${place.inside.length}.id AS id ${fromItems(owner, place)}`;
}

/** A query for the text of a member of the items at a place, and the ids of their rows. */
export function mysqlItemValues(owner: string, place: ItemPlace, member: string): string {
  const value = textOf(`JSON_EXTRACT(e${place.inside.length}.value, ${mysqlLiteral(memberPath(member))})`);
  return `SELECT t.${mysqlName('id')} AS id, ${value} AS value ${fromItems(owner, place)}`;
}
