/** The order of lists that a migration added, and that undoing it would delete. */
import { COLUMN_NAMES as NAMES } from '../contract/column-names.ts';
import type { Change, RelationStorage } from '../contract/migrations/change.ts';
import type { Session } from '../database/database.ts';
import { sql, type Sql } from '../database/sql.ts';

/** Rows that would be deleted, or would lose a value. */
export interface Loss {
  readonly table: string;
  /** What to count rows of, if not of the table. */
  readonly rows?: Sql;
  readonly where: Sql;
  /** `values of body in 3 rows of articles`; `rows`: `3 rows` */
  readonly describe: (rows: string, table: string) => string;
}

/** Lists of the rows with the same `key`. Without the order of `position`, they have that of the column `former`. */
interface OrderedLists {
  readonly table: string;
  readonly key: string;
  readonly position: string;
  readonly former: string;
}

/** What undoing an order would lose: the rows whose place in their list differs from the one that they had before. */
export function lossOfOrder({ dialect }: Session, { table, ...columns }: OrderedLists): Loss {
  const [rows, key, position, former] = [table, columns.key, columns.position, columns.former].map((name) =>
    dialect.id(name),
  ) as [Sql, Sql, Sql, Sql];
  const place = (order: Sql): Sql => sql`ROW_NUMBER() OVER (PARTITION BY ${key} ORDER BY ${order})`;
  const now = place(sql`COALESCE(${position}, ${former}), ${former}`);
  return {
    table,
    rows: sql`(SELECT ${now} AS place, ${place(former)} AS former_place FROM ${rows} WHERE ${key} IS NOT NULL) AS placed`,
    where: sql`place <> former_place`,
    describe: (count, at) => `the order of ${count} of ${at} among those with the same ${columns.key}`,
  };
}

type Side = 'owners' | 'targets';

/** The ordered lists of a relation: of the targets of an owner, and of the owners of a target. */
function listsOf(storage: RelationStorage): readonly (OrderedLists & { readonly of: Side })[] {
  const { table } = storage;
  if (storage.kind === 'column') {
    const { column, position } = storage;
    return position === undefined ? [] : [{ of: 'owners', table, key: column, position, former: 'id' }];
  }
  const ofTargets = { of: 'targets', table, key: NAMES.owner, position: NAMES.position, former: NAMES.target } as const;
  const ofOwners = {
    of: 'owners',
    table,
    key: NAMES.target,
    position: NAMES.inversePosition,
    former: NAMES.owner,
  } as const;
  return storage.inversePosition ? [ofTargets, ofOwners] : [ofTargets];
}

/**
 * The orders that would be lost if a relation moved back to storage without them. Where the former storage has no list at all, later
 * links are lost instead: see `lossesOfCopy`.
 */
export function lossesOfCopiedOrder(
  session: Session,
  { from, to, mirrored }: Extract<Change, { kind: 'copyRelation' }>,
): readonly Loss[] {
  const ordered = new Set(listsOf(from).map(({ of }) => of));
  const isList = (side: Side): boolean => from.kind === 'link' || (side === 'owners' && from.unique === undefined);
  const other = { owners: 'targets', targets: 'owners' } as const;
  return listsOf(to).flatMap(({ of, ...list }) => {
    const side = mirrored ? other[of] : of;
    return isList(side) && !ordered.has(side) ? [lossOfOrder(session, list)] : [];
  });
}
