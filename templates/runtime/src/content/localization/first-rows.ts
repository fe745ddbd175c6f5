/**
 * Relations between entries. Their links refer to the first row of an entry, which is the one with the smallest id, whatever row
 * a request names. If the type that owns the relation is localized, all rows of its entries have the links; those of the first row
 * determine the list on the other side.
 */
import {
  type ContentType,
  type ContentTypes,
  isInverseStorage,
  type MediaAttribute,
  type RelationAttribute,
} from '../../contract/content-type.ts';
import type { Executor } from '../../database/executor.ts';
import { sql } from '../../database/sql.ts';
import { idRows } from '../relations/list-table.ts';
import { type EntryRef, keyOf, type RelationChange, type Target } from '../relations/relation-change.ts';

/** Whether changes of this attribute apply to the first row of the entry: the other side owns the relation. */
export function belongsToFirstRow(type: ContentType, attribute: RelationAttribute | MediaAttribute): boolean {
  return (
    type.localized && attribute.shared === true && attribute.type === 'relation' && isInverseStorage(attribute.storage)
  );
}

/** The ids of rows of a localized type → the ids of the first rows of their entries. Unknown ids are left out. */
async function readFirstRows(
  tx: Executor,
  { table }: ContentType,
  ids: Iterable<number>,
): Promise<ReadonlyMap<number, number>> {
  const rows = tx.dialect.id(table);
  const found = await tx.all(
    sql`SELECT t.id, MIN(o.id) AS first FROM ${idRows(tx.dialect, ids)} AS r CROSS JOIN ${rows} AS t JOIN ${rows} AS o ON o.document_id = t.document_id WHERE t.id = r.id GROUP BY t.id`,
  );
  return new Map(found.map((row) => [Number(row['id']), Number(row['first'])]));
}

/** The id of the first row of an entry, given any of its rows. */
export async function firstRowOf(tx: Executor, type: ContentType, id: number): Promise<number> {
  return (await readFirstRows(tx, type, [id])).get(id) ?? id;
}

function refsIn(change: RelationChange): readonly EntryRef[] {
  if (change.kind === 'set') return change.targets;
  const anchors = change.connect.flatMap(({ position }) => ('anchor' in position ? [position.anchor] : []));
  return [...change.connect, ...change.disconnect, ...anchors];
}

/** The elements, of which several may be rows of one entry, each entry once. */
function withoutRepeats<T extends Target>(elements: readonly T[]): T[] {
  const known = new Set<string>();
  return elements.filter((element) => {
    const isNew = !known.has(keyOf(element));
    known.add(keyOf(element));
    return isNew;
  });
}

/** Finds the first rows of the entries of these rows: takes one statement per localized type. */
export async function findFirstRows(
  tx: Executor,
  { types }: ContentTypes,
  rows: Iterable<EntryRef>,
): Promise<<Ref extends EntryRef>(ref: Ref) => Ref & { readonly namedId?: number }> {
  const ids = new Map<string, Set<number>>();
  for (const { type, id } of rows) {
    if (Object.hasOwn(types, type) && types[type]?.localized) ids.set(type, (ids.get(type) ?? new Set()).add(id));
  }
  const first = new Map<string, ReadonlyMap<number, number>>();
  for (const [uid, named] of ids) {
    const type = types[uid];
    if (type) first.set(uid, await readFirstRows(tx, type, named));
  }
  return (ref) => {
    const id = first.get(ref.type)?.get(ref.id) ?? ref.id;
    return id === ref.id ? ref : { ...ref, id, namedId: ref.id };
  };
}

/** Replaces the rows that changes name by the first rows of their entries. */
export async function namingFirstRows<Key>(
  tx: Executor,
  types: ContentTypes,
  changes: ReadonlyMap<Key, RelationChange>,
): Promise<ReadonlyMap<Key, RelationChange>> {
  const firstOf = await findFirstRows(tx, types, [...changes.values()].flatMap(refsIn));
  const replaced = (change: RelationChange): RelationChange => {
    if (change.kind === 'set') return { kind: 'set', targets: withoutRepeats(change.targets.map(firstOf)) };
    const connect = change.connect.map((element) => {
      const { position } = element;
      const placed = 'anchor' in position ? { ...position, anchor: firstOf(position.anchor) } : position;
      return { ...firstOf(element), position: placed };
    });
    return { kind: 'change', connect: withoutRepeats(connect), disconnect: change.disconnect.map(firstOf) };
  };
  return new Map([...changes].map(([key, change]) => [key, replaced(change)]));
}
