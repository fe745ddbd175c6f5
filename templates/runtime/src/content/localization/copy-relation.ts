/** Copies relations that are stored as more than one column from one row of an entry to its other locales. */
import type { ForeignKeyStorage } from '../../contract/content-type.ts';
import type { Executor } from '../../database/executor.ts';
import type { Statement, Step } from '../../database/write-plan.ts';
import { sql } from '../../database/sql.ts';
import { updateWhere } from '../../write/columns.ts';
import { type ForeignKeyChange, incrementVersionsOfOtherSides, planForeignKeys } from '../relations/foreign-keys.ts';
import { listTableOf } from '../relations/list-table-of.ts';
import { type ListTable, storedList } from '../relations/list-table.ts';
import { readWholeList } from '../relations/read-list.ts';
import { planListWrites } from '../relations/plan-list-writes.ts';
import type { RelationChange } from '../relations/relation-change.ts';
import { writeList } from '../relations/write-list.ts';
import type { Copy, LocalizedRows, NamedAttribute } from './shared-attributes.ts';

/** Copies the list of one row to others. Only differences are written. */
async function copyList(tx: Executor, { from, to }: Copy, list: ListTable): Promise<readonly Statement[]> {
  const change: RelationChange = { kind: 'set', targets: await readWholeList(storedList(tx, list, from)) };
  const statements: Statement[] = [];
  for (const owner of to) {
    const { writes } = await planListWrites(tx, list, owner, change);
    statements.push(...writeList({ dialect: tx.dialect, list, owner }, writes));
  }
  return statements;
}

/** Sets a foreign key with a position: the row goes to the end of the target's list. */
async function setPlacedKey(
  { tx, type }: LocalizedRows,
  owner: number,
  change: ForeignKeyChange,
): Promise<readonly Statement[]> {
  const { dialect } = tx;
  const { columns, otherSides } = await planForeignKeys({ tx, type, owner }, [change]);
  const entries = Object.entries(columns);
  if (entries.length === 0) return [];
  const row = updateWhere(dialect, type.table, { condition: sql`id = ${owner}`, columns: new Map(entries) });
  return [row, ...incrementVersionsOfOtherSides(dialect, otherSides)];
}

async function copyPlacedKey(
  { tx, type, types }: LocalizedRows,
  { from, to }: Copy,
  [, attribute]: NamedAttribute,
  storage: ForeignKeyStorage,
): Promise<readonly Step[]> {
  const { dialect } = tx;
  const row = await tx.get(
    sql`SELECT ${dialect.id(storage.column)} AS target FROM ${dialect.id(type.table)} WHERE id = ${from}`,
  );
  const target = row?.['target'] ?? null;
  const uid = 'target' in attribute ? (attribute.target ?? '') : 'file';
  const targets = target === null ? [] : [{ type: uid, id: Number(target), path: [] }];
  const table = types.types[uid]?.table;
  const bothSides = table === undefined ? {} : { bothSides: table };
  const key = { storage, scope: 'entries', type: uid, ...bothSides } as const;
  const change: ForeignKeyChange = { ...key, change: { kind: 'set', targets } };
  return to.map(
    (owner): Step =>
      (later) =>
        setPlacedKey({ tx: later, types, type }, owner, change),
  );
}

/** The steps that copy one relation. None if it is a single column, which is copied with the others. */
export function copyRelation(rows: LocalizedRows, copy: Copy, named: NamedAttribute): readonly Step[] {
  const { types, type } = rows;
  const [, attribute] = named;
  const list = listTableOf(types, type, attribute);
  if (list) return [(tx) => copyList(tx, copy, list)];
  if (attribute.type !== 'relation' && attribute.type !== 'media') return [];
  const { storage } = attribute;
  if (storage.kind !== 'foreignKey' || storage.position === undefined) return [];
  return [(tx) => copyPlacedKey({ tx, types, type }, copy, named, storage)];
}
