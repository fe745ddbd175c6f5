/** Keeps shared attributes equal in all locales of an entry, in the transaction that writes one of them. */
import { COLUMN_NAMES } from '../../contract/column-names.ts';
import type { Values } from '../../contract/item-attributes.ts';
import type { ForeignKeyStorage } from '../../contract/content-type.ts';
import type { Statement, Step, Transaction } from '../../database/write-plan.ts';
import { NewId } from '../../database/new-id.ts';
import { sql, type Sql } from '../../database/sql.ts';
import { creatorColumn } from '../../write/creator-columns.ts';
import { touching, versionIncrementOfT } from '../../write/version.ts';
import { idRows } from '../relations/list-table.ts';
import { copyComponentLinks, readSharedItems } from './component-links.ts';
import { copyRelation } from './copy-relation.ts';
import {
  type Copy,
  type LocalizedRows,
  type NamedAttribute,
  presentAttributes,
  repeatedAttributes,
  sharedAttributes,
} from './shared-attributes.ts';

function foreignKeyOf([, attribute]: NamedAttribute): ForeignKeyStorage | undefined {
  const isLink = attribute.type === 'relation' || attribute.type === 'media';
  return isLink && attribute.storage.kind === 'foreignKey' ? attribute.storage : undefined;
}

/** The column with the whole value of an attribute; undefined if the value isn't a single column. */
function plainColumn(named: NamedAttribute): string | undefined {
  const [, attribute] = named;
  const key = foreignKeyOf(named);
  if (key) return key.position === undefined ? key.column : undefined;
  return attribute.type === 'relation' || attribute.type === 'media' ? undefined : attribute.column;
}

/** The row with this id, as a derived table. */
function rowOf({ tx, type }: LocalizedRows, id: number): Sql {
  return sql`(SELECT * FROM ${tx.dialect.id(type.table)} WHERE id = ${id})`;
}

/** Copies the single-column attributes, and `columns`, from one row to others with one statement. */
function copyColumns(rows: LocalizedRows, { from, to, attributes, columns = [] }: Copy): Statement[] {
  const { dialect } = rows.tx;
  const names = [...attributes.flatMap((named) => plainColumn(named) ?? []), ...columns];
  if (names.length === 0) return [];
  const copied = names.map((name) => [name, sql`r.${dialect.id(name)}`] as const);
  const assign = { ...Object.fromEntries(copied), ...versionIncrementOfT(dialect) };
  const where = sql`t.id IN (SELECT i.id FROM ${idRows(dialect, to)} AS i)`;
  const { table } = rows.type;
  return [touching(dialect.updateFrom(table, rowOf(rows, from), assign, where), { table, ids: to })];
}

/** The steps that copy the attributes of the row `from`, in its current state, to the rows `to`. */
export async function copyAttributes(rows: LocalizedRows, copy: Copy): Promise<readonly Step[]> {
  const items = await readSharedItems(rows, copy);
  return [
    ...copyColumns(rows, copy),
    ...(items ? copyComponentLinks(rows, copy, items) : []),
    ...copy.attributes.flatMap((named) => copyRelation(rows, copy, named)),
  ];
}

/**
 * The ids of the other locales of a row's entry. On engines with concurrent writers, their rows are locked and then read again,
 * since a locale may be added while the first statement waits for the locks.
 */
async function otherLocales({ tx, type }: LocalizedRows, id: number): Promise<number[]> {
  const { dialect } = tx;
  const table = dialect.id(type.table);
  const select = sql`SELECT o.id FROM ${table} AS t JOIN ${table} AS o ON o.document_id = t.document_id AND o.id <> t.id WHERE t.id = ${id} ORDER BY o.id`;
  if (dialect.rowLock.text !== '') await tx.all(sql`${select}${dialect.rowLock}`);
  return (await tx.all(select)).map((row) => Number(row['id']));
}

async function copyToOthers(rows: LocalizedRows, copy: Omit<Copy, 'to'>): Promise<readonly Step[]> {
  const to = await otherLocales(rows, copy.from);
  return to.length === 0 ? [] : copyAttributes(rows, { ...copy, to });
}

/** A localized type. */
type Localized = Omit<LocalizedRows, 'tx'>;

/** The steps that copy these shared attributes, and `columns`, from a row to the other locales of its entry. */
function shareRow(
  localized: Localized,
  id: number | NewId,
  attributes: readonly NamedAttribute[],
  columns: readonly string[],
): readonly Step[] {
  const known = (): number => (id instanceof NewId ? id.value : id);
  return [(tx: Transaction) => copyToOthers({ ...localized, tx }, { from: known(), attributes, columns })];
}

/** The steps that copy all shared attributes to the other locales, after the row has been written. */
export function shareAll(localized: Localized, id: number | NewId): readonly Step[] {
  const shared = repeatedAttributes(localized.type);
  return shared.length === 0 ? [] : shareRow(localized, id, shared, []);
}

/** The steps that copy the shared attributes in `input`, and `updatedAt`, to the other locales, after the row has been written. */
export function shareAttributes(localized: Localized, id: number | NewId, input: Values): readonly Step[] {
  const sent = presentAttributes(sharedAttributes(localized.type), input);
  if (sent.length === 0) return [];
  const changed = [COLUMN_NAMES.updatedAt, creatorColumn(localized.type, 'updatedBy') ?? []].flat();
  return shareRow(localized, id, presentAttributes(repeatedAttributes(localized.type), input), changed);
}
