/** SQL of a team may write component items without ids, by which requests and links name them: the migrator adds these. */
import type { Holds } from '../contract/migrations/planned-table.ts';
import type { Session } from '../database/database.ts';
import { join, sql, type Sql } from '../database/sql.ts';
import { mentions } from './drift/applied-sql.ts';
import { MigrationError } from './migration-error.ts';
import { inTransaction } from './progress.ts';
import type { Migration } from './read-migrations.ts';
import { itemPlaces, type ItemPlaces } from './stored-items.ts';

/** The table that generates the ids of component items. */
const ID_TABLE = 'component_ids';

/** Rows that are read at once. */
const PAGE = 500;

type Item = Record<string, unknown>;

function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The items in a value, at any depth, that have no id. */
function itemsWithoutIds(places: ItemPlaces, holds: Holds, value: unknown): readonly Item[] {
  return (Array.isArray(value) ? value : [value]).filter(isItem).flatMap((item) => {
    const uid = holds.kind === 'component' ? holds.component : String(item['__component']);
    const inner = [...(places.nested.get(uid) ?? [])].flatMap(([member, component]) =>
      itemsWithoutIds(places, { kind: 'component', component, repeatable: false }, item[member]),
    );
    return (item['id'] ?? null) === null ? [item, ...inner] : inner;
  });
}

/** A table with component items, and their columns. */
interface ItemTable {
  readonly table: string;
  readonly columns: ReadonlyMap<string, Holds>;
}

/** A JSON value, which some drivers return as text. Throws a MigrationError that says where the text is no JSON. */
function parsed(value: unknown, where: string): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch (cause) {
    throw new MigrationError(`${where} is not JSON, which components are stored as. Correct the SQL that writes it.`, {
      cause,
    });
  }
}

/** The items of a row without ids, with the values that contain them, by column. */
function lackingIn(places: ItemPlaces, { table, columns }: ItemTable, row: Readonly<Record<string, unknown>>) {
  const values = new Map<string, unknown>();
  const items: Item[] = [];
  for (const [column, holds] of columns) {
    const value = parsed(row[column], `${table}.${column} of the row with the id ${String(row['id'])}`);
    const found = itemsWithoutIds(places, holds, value);
    if (found.length > 0) values.set(column, value);
    items.push(...found);
  }
  return { values, items };
}

function selectItems({ dialect: { id } }: Session, { table, columns }: ItemTable, where: Sql): Sql {
  return sql`SELECT ${join(['id', ...columns.keys()].map(id), ', ')} FROM ${id(table)} WHERE ${where}`;
}

/** Reads a row again while it is locked, as servers may write it meanwhile, and adds the ids. */
async function completeRow(session: Session, places: ItemPlaces, own: ItemTable, row: unknown): Promise<void> {
  const { dialect } = session;
  const which = sql`${dialect.id('id')} = ${Number(row)}`;
  const stored = await session.get(sql`${selectItems(session, own, which)}${dialect.rowLock}`);
  const { values, items } = lackingIn(places, own, stored ?? {});
  if (items.length === 0) return;
  const ids = await dialect.takeIds(session, ID_TABLE, items.length);
  for (const [index, item] of items.entries()) item['id'] = ids[index];
  const set = [...values].map(([column, value]) => sql`${dialect.id(column)} = ${dialect.bind('json', value)}`);
  await session.run(sql`UPDATE ${dialect.id(own.table)} SET ${join(set, ', ')} WHERE ${which}`);
}

/** The ids of rows with items that have none, in the order of ids. */
async function* incompleteRows(session: Session, places: ItemPlaces, own: ItemTable): AsyncGenerator {
  const id = session.dialect.id('id');
  for (let last = -1; ;) {
    const page = await session.all(
      sql`${selectItems(session, own, sql`${id} > ${last}`)} ORDER BY ${id} LIMIT ${PAGE}`,
    );
    for (const row of page) if (lackingIn(places, own, row).items.length > 0) yield row['id'];
    if (page.length < PAGE) return;
    last = Number(page.at(-1)?.['id']);
  }
}

/**
 * Gives ids to component items without one, in the tables that a script names. `earlier`: the migrations before it. Within a
 * transaction, all of it belongs to that; otherwise each row is committed by itself.
 */
export async function giveItemIds(
  session: Session,
  earlier: readonly Migration[],
  script: string,
  isInTransaction: boolean,
): Promise<void> {
  const places = itemPlaces(earlier.map(({ plan }) => plan));
  for (const [table, columns] of places.tables) {
    if (columns.size === 0 || !mentions(script.toLowerCase(), table.toLowerCase())) continue;
    const own = { table, columns };
    for await (const row of incompleteRows(session, places, own)) {
      if (isInTransaction) await completeRow(session, places, own, row);
      else await inTransaction(session, (inner) => completeRow(inner, places, own, row));
    }
  }
}
