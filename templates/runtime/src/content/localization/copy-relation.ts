/** Copies relations that are more than one column from a row of an entry to its other locales. */
import type { ContentTypes, ForeignKeyStorage } from '../../contract/content-type.ts';
import type { Executor } from '../../database/database.ts';
import { join, raw, sql } from '../../database/sql.ts';
import { planForeignKeys } from '../relations/foreign-keys.ts';
import {
  columnOf,
  listTable,
  morphListTable,
  ofList,
  type ListTable,
  type OwnedList,
} from '../relations/list-table.ts';
import { planListWrites } from '../relations/plan-list-writes.ts';
import type { RelationChange, Target } from '../relations/relation-change.ts';
import { writeList } from '../relations/write-list.ts';
import type { Copy, LocalizedRows, NamedAttribute } from './shared-attributes.ts';

/** The list that a relation or media attribute is stored as; undefined where it is none of its own. */
export function listOf(types: ContentTypes, [, attribute]: NamedAttribute): ListTable | undefined {
  if (attribute.type !== 'relation' && attribute.type !== 'media') return undefined;
  const { storage } = attribute;
  if (storage.kind === 'morph') return morphListTable(storage);
  if (storage.kind !== 'link') return undefined;
  const uid = attribute.type === 'media' ? 'file' : (attribute.target ?? '');
  const target = Object.hasOwn(types.types, uid) ? types.types[uid] : undefined;
  if (!target) throw new Error(`There is no content type ${uid}`);
  return listTable(storage, target);
}

/** All members of a list, in its order. */
export async function readWholeList(owned: OwnedList): Promise<Target[]> {
  const { tx, list } = owned;
  const { dialect } = tx;
  const selects = list.members.map(({ column }, index) => {
    const id = columnOf(dialect, 'm', column);
    const columns = sql`${raw(String(index))} AS kind, ${id} AS id, ${columnOf(dialect, 'm', list.position)} AS position`;
    return sql`SELECT ${columns} FROM ${dialect.id(list.table)} AS m WHERE ${ofList(owned, 'm')} AND ${id} IS NOT NULL`;
  });
  const rows = await tx.all(sql`${join(selects, ' UNION ALL ')} ORDER BY position, id`);
  return rows.map((row) => ({ type: list.members[Number(row['kind'])]?.type ?? '', id: Number(row['id']), path: [] }));
}

/** Gives other rows the list of one: only what differs is written. */
export async function copyList(tx: Executor, { from, to }: Copy, list: ListTable): Promise<void> {
  const change: RelationChange = { kind: 'set', targets: await readWholeList({ tx, list, owner: from }) };
  for (const owner of to) {
    const { writes } = await planListWrites(tx, list, owner, change);
    await writeList({ tx, list, owner }, writes);
  }
}

/** Gives other rows the target of one where each row has a place of its own in the target's list: its end. */
export async function copyPlacedKey(
  { tx, type }: LocalizedRows,
  { from, to }: Copy,
  [, attribute]: NamedAttribute,
  storage: ForeignKeyStorage,
): Promise<void> {
  const { dialect } = tx;
  const table = dialect.id(type.table);
  const row = await tx.get(sql`SELECT ${dialect.id(storage.column)} AS target FROM ${table} WHERE id = ${from}`);
  const target = row?.['target'] ?? null;
  const uid = 'target' in attribute ? (attribute.target ?? '') : 'file';
  const targets = target === null ? [] : [{ type: uid, id: Number(target), path: [] }];
  for (const owner of to) {
    const change: RelationChange = { kind: 'set', targets };
    const { columns } = await planForeignKeys({ tx, type, owner }, [{ storage, type: uid, change }]);
    const assignments = Object.entries(columns).map(([name, value]) => sql`${dialect.id(name)} = ${value}`);
    if (assignments.length > 0) await tx.run(sql`UPDATE ${table} SET ${join(assignments, ', ')} WHERE id = ${owner}`);
  }
}
