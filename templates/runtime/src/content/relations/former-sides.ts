/** Entries that lose a related entry through a change, although the request doesn't name them. */
import type { ContentType } from '../../contract/content-type.ts';
import type { Executor } from '../../database/executor.ts';
import type { Dialect } from '../../database/dialect.ts';
import { join, raw, sql, type Sql } from '../../database/sql.ts';
import type { ForeignKeyChange } from './foreign-keys.ts';
import type { InverseOne } from './inverse-one.ts';
import { columnOf, idsOf, listCondition, type ListTable } from './list-table.ts';
import { planToOne } from './plan-to-one.ts';
import type { EntryRef, RelationChange } from './relation-change.ts';

/** Entries of a type, by a SELECT that returns their ids as `k`. */
export interface FormerSides {
  readonly type: ContentType;
  readonly select: (dialect: Dialect) => Sql;
}

interface Owner {
  readonly type: ContentType;
  readonly id: number | undefined;
}

/** The current target of a foreign key, before the change. */
export function formerTarget(
  { type: own, id }: Owner,
  { storage }: ForeignKeyChange,
  type: ContentType,
): FormerSides[] {
  if (id === undefined) return [];
  const select = (dialect: Dialect): Sql => {
    const column = dialect.id(storage.column);
    return sql`SELECT ${column} AS k FROM ${dialect.id(own.table)} WHERE id = ${id} AND ${column} IS NOT NULL`;
  };
  return [{ type, select }];
}

/** The entries of `type` that the given rows of `table` refer to by their foreign key `own`. */
function holders(type: ContentType, table: string, own: string, rows: readonly EntryRef[]): FormerSides[] {
  if (rows.length === 0) return [];
  const select = (dialect: Dialect): Sql => {
    const column = dialect.id(own);
    const isGiven = dialect.isOneOf(
      raw('id'),
      rows.map(({ id }) => id),
    );
    return sql`SELECT ${column} AS k FROM ${dialect.id(table)} WHERE ${isGiven} AND ${column} IS NOT NULL`;
  };
  return [{ type, select }];
}

/** The entry that currently has the new partner of a one-to-one relation. */
export function formerPartner({ type }: Owner, { table, column, change }: InverseOne): FormerSides[] {
  const toOne = planToOne(change);
  return holders(type, table, column, toOne.kind === 'set' && toOne.target ? [toOne.target] : []);
}

/**
 * The entries that a change of a list affects on the other side. For a link table: the members that leave, if the other side of the
 * relation is one of their attributes. For children: the former owners of the connected members.
 */
export function formerMembers(
  owner: Owner,
  list: ListTable,
  change: RelationChange,
  typeOf: (uid: string) => ContentType | undefined,
): FormerSides[] {
  if (list.kind === 'children') {
    return holders(owner.type, list.table, list.own, change.kind === 'set' ? change.targets : change.connect);
  }
  const { id } = owner;
  if (id === undefined) return [];
  return list.members.flatMap(({ type: uid, column, bothSides }) => {
    const type = typeOf(uid);
    const ids = idsOf(uid, change.kind === 'set' ? change.targets : change.disconnect);
    if (bothSides === undefined || !type || (change.kind === 'change' && ids.length === 0)) return [];
    const select = (dialect: Dialect): Sql => {
      const member = columnOf(dialect, 'l', column);
      const isNamed = dialect.isOneOf(member, ids);
      const leaves = change.kind === 'set' ? sql`${member} IS NOT NULL AND NOT ${isNamed}` : isNamed;
      const own = listCondition({ dialect, list, owner: id }, 'l');
      return sql`SELECT ${member} AS k FROM ${dialect.id(list.table)} AS l WHERE ${own} AND ${leaves}`;
    };
    return [{ type, select }];
  });
}

/** An entry of a type. */
export interface FormerSide {
  readonly type: ContentType;
  readonly id: number;
}

/** Reads the entries without locking them: they are locked later together with all others, in one order. */
export async function readFormerSides(tx: Executor, all: readonly FormerSides[]): Promise<readonly FormerSide[]> {
  if (all.length === 0) return [];
  const selects = all.map(
    ({ select }, part) => sql`SELECT ${raw(String(part))} AS part, f.k FROM (${select(tx.dialect)}) AS f`,
  );
  const rows = await tx.all(join(selects, ' UNION ALL '));
  return rows.flatMap((row) => {
    const type = all[Number(row['part'])]?.type;
    return type ? [{ type, id: Number(row['k']) }] : [];
  });
}
