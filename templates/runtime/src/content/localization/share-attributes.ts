/** Keeps shared attributes equal in all locales of an entry, in the transaction that writes one of them. */
import type { Values } from '../../contract/item-attributes.ts';
import type { ForeignKeyStorage } from '../../contract/content-type.ts';
import { raw, sql, type Sql } from '../../database/sql.ts';
import { idRows } from '../relations/list-table.ts';
import { copyComponentLinks, readSharedItems } from './component-links.ts';
import { copyList, copyPlacedKey, listOf } from './copy-relation.ts';
import { sentOf, sharedAttributes, type Copy, type LocalizedRows, type NamedAttribute } from './shared-attributes.ts';

function foreignKeyOf([, attribute]: NamedAttribute): ForeignKeyStorage | undefined {
  const isLink = attribute.type === 'relation' || attribute.type === 'media';
  return isLink && attribute.storage.kind === 'foreignKey' ? attribute.storage : undefined;
}

/** The column that holds the whole value of an attribute; undefined where it has more than that. */
function plainColumn(named: NamedAttribute): string | undefined {
  const [, attribute] = named;
  const key = foreignKeyOf(named);
  if (key) return key.position === undefined ? key.column : undefined;
  return attribute.type === 'relation' || attribute.type === 'media' ? undefined : attribute.column;
}

/** The row with an id as rows of a statement. */
function rowOf({ tx, type }: LocalizedRows, id: number): Sql {
  return sql`(SELECT * FROM ${tx.dialect.id(type.table)} WHERE id = ${id})`;
}

/** Makes the plain columns of some rows those of another: one statement for all of them. */
async function copyColumns(rows: LocalizedRows, { from, to, attributes, columns = [] }: Copy): Promise<void> {
  const { dialect } = rows.tx;
  const names = [...attributes.flatMap((named) => plainColumn(named) ?? []), ...columns];
  if (names.length === 0) return;
  const assign = Object.fromEntries(names.map((name) => [name, sql`r.${dialect.id(name)}`]));
  const where = sql`t.id IN (SELECT i.id FROM ${idRows(dialect, to)} AS i)`;
  await rows.tx.run(dialect.updateFrom(rows.type.table, rowOf(rows, from), assign, where));
}

/** Makes the attributes of the rows `to` equal to those of the row `from`. */
export async function copyAttributes(rows: LocalizedRows, copy: Copy): Promise<void> {
  const items = await readSharedItems(rows, copy);
  await copyColumns(rows, copy);
  if (items) await copyComponentLinks(rows, copy, items);
  for (const named of copy.attributes) {
    const key = foreignKeyOf(named);
    if (key?.position !== undefined) await copyPlacedKey(rows, copy, named, key);
    const list = listOf(rows.types, named);
    if (list) await copyList(rows.tx, copy, list);
  }
}

/** Takes the one-to-one partners of a row from all other entries, whatever their locale. */
async function releasePartners(rows: LocalizedRows, id: number, attributes: readonly NamedAttribute[]): Promise<void> {
  const { tx, type } = rows;
  for (const named of attributes) {
    const key = foreignKeyOf(named);
    if (!key?.unique) continue;
    const column = tx.dialect.id(key.column);
    const where = sql`t.${column} = r.${column} AND t.document_id <> r.document_id`;
    await tx.run(tx.dialect.updateFrom(type.table, rowOf(rows, id), { [key.column]: raw('NULL') }, where));
  }
}

/**
 * The other locales of the entry of a row. Where several requests write at a time they are locked, and looked up again then:
 * one may have been added while this waited.
 */
async function otherLocales({ tx, type }: LocalizedRows, id: number): Promise<number[]> {
  const { dialect } = tx;
  const table = dialect.id(type.table);
  const select = sql`SELECT o.id FROM ${table} AS t JOIN ${table} AS o ON o.document_id = t.document_id AND o.id <> t.id WHERE t.id = ${id} ORDER BY o.id`;
  if (dialect.rowLock.text !== '') await tx.all(sql`${select}${dialect.rowLock}`);
  return (await tx.all(select)).map((row) => Number(row['id']));
}

/** Gives the other locales of the entry of a row the values of these shared attributes that the row has. */
export async function shareRow(
  rows: LocalizedRows,
  id: number,
  attributes: readonly NamedAttribute[],
  columns: readonly string[] = [],
): Promise<void> {
  if (attributes.length === 0) return;
  await releasePartners(rows, id, attributes);
  const to = await otherLocales(rows, id);
  if (to.length > 0) await copyAttributes(rows, { from: id, to, attributes, columns });
}

/** Shares what `input` has given a row, which is written by now. Changes `updatedAt` of the other locales with it. */
export function shareAttributes(rows: LocalizedRows, id: number, input: Values): Promise<void> {
  return shareRow(rows, id, sentOf(sharedAttributes(rows.type), input), ['updated_at']);
}
