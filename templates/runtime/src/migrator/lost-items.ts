/** Components that a migration made lists, and of which undoing it would keep only the first. */
import type { ItemsEdit } from '../contract/migrations/items-edit.ts';
import type { Session } from '../database/database.ts';
import type { DialectName } from '../database/dialect.ts';
import { raw, sql, type Sql } from '../database/sql.ts';
import type { Loss } from './lost-order.ts';

/** The way from a column to a list inside its components, by the names after the edit. */
interface NestedList {
  readonly component: string | undefined;
  /** Whether the column holds a list; `inside` says the same of each member on the way. */
  readonly isList: boolean;
  readonly inside: readonly { readonly member: string; readonly isList: boolean }[];
}

function isListAfter({ list, becomes }: ItemsEdit): boolean {
  return becomes === undefined ? list : becomes === 'list';
}

/** The lists inside components that were single components before. */
function* newLists({ items }: ItemsEdit, outer: NestedList): Generator<NestedList> {
  for (const { component, renamedTo = component, remove, rename, nested } of items) {
    if (remove) continue;
    for (const { member, edit } of nested) {
      const name = rename.find(({ from }) => from === member)?.to ?? member;
      const list: NestedList = {
        ...outer,
        component: outer.component ?? renamedTo,
        inside: [...outer.inside, { member: name, isList: isListAfter(edit) }],
      };
      if (edit.becomes === 'list') yield list;
      yield* newLists(edit, list);
    }
  }
}

/** How an engine reads the components in a JSON value. */
interface ItemReader {
  /** A table with the components in a value, as its column `value`. */
  readonly rows: (value: string, isList: boolean, alias: string) => string;
  readonly join: string;
  readonly member: (item: string, name: string) => string;
  readonly text: (item: string, name: string) => string;
  /** The number of components in a list; NULL or 0 for anything else. */
  readonly length: (value: string) => string;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

const path = (name: string): string => quoted(`$."${name}"`);

const READERS: Readonly<Record<DialectName, ItemReader>> = {
  sqlite: {
    rows: (value, isList, alias) =>
      `json_each(${isList ? value : `CASE WHEN ${value} IS NOT NULL THEN json_array(json(${value})) END`}) AS ${alias}`,
    join: ', ',
    member: (item, name) => `(${item} -> ${path(name)})`,
    text: (item, name) => `${item} ->> ${path(name)}`,
    length: (value) => `json_array_length(${value})`,
  },
  postgres: {
    rows: (value, isList, alias) => {
      const [type, list] = isList ? ['array', value] : ['object', `json_build_array(${value})`];
      return `json_array_elements(CASE json_typeof(${value}) WHEN '${type}' THEN ${list} END) AS ${alias} (value)`;
    },
    join: ' CROSS JOIN LATERAL ',
    member: (item, name) => `(${item} -> ${quoted(name)})`,
    text: (item, name) => `${item} ->> ${quoted(name)}`,
    length: (value) => `CASE json_typeof(${value}) WHEN 'array' THEN json_array_length(${value}) END`,
  },
  mysql: {
    rows: (value, isList, alias) =>
      `JSON_TABLE(${value}, '${isList ? '$[*]' : '$'}' COLUMNS (value JSON PATH '$')) AS ${alias}`,
    join: ' JOIN ',
    member: (item, name) => `JSON_EXTRACT(${item}, ${path(name)})`,
    text: (item, name) => `JSON_UNQUOTE(JSON_EXTRACT(${item}, ${path(name)}))`,
    length: (value) => `JSON_LENGTH(${value})`,
  },
};

/** The condition on rows with more than one component in such a list. */
function hasMore({ dialect }: Session, table: string, column: string, { component, isList, inside }: NestedList): Sql {
  const { rows, join, member, text, length } = READERS[dialect.name];
  const sources = [rows(`t.${dialect.id(column).text}`, isList, 'e0')];
  for (const [index, step] of inside.slice(0, -1).entries()) {
    sources.push(rows(member(`e${index}.value`, step.member), step.isList, `e${index + 1}`));
  }
  const last = member(`e${inside.length - 1}.value`, inside.at(-1)?.member ?? '');
  const named = component === undefined ? '' : `${text('e0.value', '__component')} = ${quoted(component)} AND `;
  const from = [`${dialect.id(table).text} AS t`, ...sources].join(join);
  return sql`${dialect.id('id')} IN (SELECT t.${dialect.id('id')} FROM ${raw(`${from} WHERE ${named}${length(last)} > 1`)})`;
}

/** What undoing an edit of the components in a column would delete: all components but the first, where one became a list. */
export function lossesOfItems(
  session: Session,
  { table, column, edit }: { readonly table: string; readonly column: string; readonly edit: ItemsEdit },
): readonly Loss[] {
  const loss = (where: Sql, place: string): Loss => ({
    table,
    where,
    describe: (rows, at) => `all components but the first of ${place} in ${rows} of ${at}`,
  });
  const { length } = READERS[session.dialect.name];
  const own = edit.becomes === 'list' ? [loss(raw(`${length(session.dialect.id(column).text)} > 1`), column)] : [];
  const lists = newLists(edit, { component: undefined, isList: isListAfter(edit), inside: [] });
  return [
    ...own,
    ...[...lists].map((list) => {
      const members = list.inside.map(({ member }) => member).join('.');
      const place = list.component === undefined ? members : `${list.component}.${members}`;
      return loss(hasMore(session, table, column, list), `${place} in ${column}`);
    }),
  ];
}
