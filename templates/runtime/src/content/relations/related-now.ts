/** The entries that a relation has before it changes. */
import type { Executor } from '../../database/executor.ts';
import { sql } from '../../database/sql.ts';
import { storedList } from './list-table.ts';
import { readMembers, readWholeList } from './read-list.ts';
import { type EntryRef, keyOf, refOf, type Target } from './relation-change.ts';
import type { ChangedRelation } from './relation-parts.ts';

async function partnersNow(
  tx: Executor,
  { part, targets: [target] }: ChangedRelation,
  owner: number,
): Promise<readonly Target[]> {
  if (part.kind !== 'inverseOne' || !target) return [];
  const [rows, column] = [tx.dialect.id(part.table), tx.dialect.id(part.column)];
  const found = await tx.all(sql`SELECT id FROM ${rows} WHERE ${column} = ${owner} ORDER BY id`);
  return found.map((row) => ({ type: target.uid, id: Number(row['id']), path: [] }));
}

/** The members of a list, in order, or the partner of a one-to-one relation that the other side stores; with `named`, those among them. */
export async function relatedNow(
  tx: Executor,
  changed: ChangedRelation,
  owner: number | undefined,
  named?: readonly EntryRef[],
): Promise<readonly Target[]> {
  const { part } = changed;
  if (owner === undefined || named?.length === 0) return [];
  if (part.kind !== 'list') {
    const wanted = named && new Set(named.map(keyOf));
    const partners = await partnersNow(tx, changed, owner);
    return partners.filter((partner) => wanted === undefined || wanted.has(keyOf(partner)));
  }
  const list = storedList(tx, part.list, owner);
  if (!named) return readWholeList(list);
  return [...(await readMembers(list, named)).keys()].map((key) => ({ ...refOf(key), path: [] }));
}
