/**
 * After a change from the other side of a relation that a localized type owns: repeats the links of the first row of each affected
 * entry in the entry's other rows.
 */
import type {
  ContentType,
  InverseForeignKeyStorage,
  LinkStorage,
  RelationAttribute,
} from '../../contract/content-type.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { NewId } from '../../database/new-id.ts';
import { deleteRows, raw, sql, type Sql } from '../../database/sql.ts';
import { statement, type Statement } from '../../database/write-plan.ts';
import { incrementVersionsBySelect, touching, versionIncrementOfT } from '../../write/version.ts';
import { columnOf } from '../relations/list-table.ts';
import { POSITION_STEP } from '../../contract/position-step.ts';

/** The other side of a relation of a localized type: an entry, and where its links are stored. */
interface OtherSide<Storage> {
  readonly dialect: Dialect;
  /** The localized type. */
  readonly type: ContentType;
  readonly storage: Storage;
  readonly id: number | NewId;
}

/** The first row of the entry of the row `s`. */
function firstOf({ dialect, type }: OtherSide<unknown>): Sql {
  const rows = dialect.id(type.table);
  return dialect.neverNull(sql`SELECT MIN(o.id) FROM ${rows} AS o WHERE o.document_id = s.document_id`);
}

function repeatKeys(side: OtherSide<InverseForeignKeyStorage>): Statement[] {
  const { dialect, type, storage, id } = side;
  const rows = dialect.id(type.table);
  const [own, first] = [columnOf(dialect, 's', storage.column), columnOf(dialect, 'f', storage.column)];
  const { position } = storage;
  const place = position === undefined ? sql`0` : columnOf(dialect, 'f', position);
  const differing = sql`SELECT s.id, ${first} AS target, ${place} AS place FROM ${rows} AS s JOIN ${rows} AS f ON f.document_id = s.document_id WHERE (${own} = ${id} OR ${first} = ${id}) AND s.id <> f.id AND f.id = ${firstOf(side)} AND COALESCE(${own}, 0) <> COALESCE(${first}, 0)`;
  const assign = {
    [storage.column]: sql`r.target`,
    ...(position !== undefined && { [position]: sql`r.place` }),
    ...versionIncrementOfT(dialect),
  };
  const ids = sql`SELECT d.id AS k FROM (${differing}) AS d`;
  const update = dialect.updateFrom(type.table, sql`(${differing})`, assign, sql`t.id = r.id`);
  return [touching(update, { table: type.table, ids })];
}

/** The position after the last in the list of the row `s`: equal lists of two rows may have other gaps. */
function endOfList({ dialect, storage }: OtherSide<LinkStorage>, position: string): Sql {
  const place = columnOf(dialect, 'p', position);
  const members = sql`${dialect.id(storage.table)} AS p WHERE ${columnOf(dialect, 'p', storage.other)} = s.id`;
  return sql`${dialect.firstOrZero(place, members, sql`${place} DESC`)} + ${raw(String(POSITION_STEP))}`;
}

function repeatLinks(side: OtherSide<LinkStorage>): Statement[] {
  const { dialect, type, storage, id } = side;
  const rows = dialect.id(type.table);
  const links = dialect.id(storage.table);
  const [own, other] = [dialect.id(storage.own), dialect.id(storage.other)];
  const linked = (row: Sql): Sql =>
    sql`EXISTS (SELECT 1 FROM ${links} AS e WHERE e.${own} = ${id} AND e.${other} = ${row})`;
  const gone = sql`SELECT s.id AS k FROM ${links} AS l JOIN ${rows} AS s ON s.id = l.${other} WHERE l.${own} = ${id} AND NOT ${linked(firstOf(side))}`;
  const added = sql`FROM ${links} AS l JOIN ${rows} AS f ON f.id = l.${other} JOIN ${rows} AS s ON s.document_id = f.document_id AND s.id <> f.id WHERE l.${own} = ${id} AND f.id = ${firstOf(side)} AND NOT ${linked(sql`s.id`)}`;
  const placed: [string, Sql][] = [[storage.position, columnOf(dialect, 'l', storage.position)]];
  if (storage.otherPosition !== undefined) placed.push([storage.otherPosition, endOfList(side, storage.otherPosition)]);
  const names = placed.reduce((all, [name]) => sql`${all}, ${dialect.id(name)}`, sql`${own}, ${other}`);
  const values = placed.reduce((all, [, value]) => sql`${all}, ${value}`, sql`l.${own}, s.id`);
  const isGone = sql`${own} = ${id} AND ${other} IN (SELECT g.k FROM (${gone}) AS g)`;
  return [
    incrementVersionsBySelect(dialect, type.table, gone),
    statement(deleteRows(links, isGone)),
    incrementVersionsBySelect(dialect, type.table, sql`SELECT s.id AS k ${added}`),
    statement(sql`INSERT INTO ${links} (${names}) SELECT ${values} ${added}`),
  ];
}

/** The statements for a changed attribute of the entry `id`. None if the owning type `target` is not localized. */
export function repeatInAllLocales(
  dialect: Dialect,
  { shared, storage }: RelationAttribute,
  target: ContentType | undefined,
  id: number | NewId,
): readonly Statement[] {
  if (!shared || !target?.localized) return [];
  if (storage.kind === 'inverseForeignKey') return repeatKeys({ dialect, type: target, storage, id });
  return storage.kind === 'link' && storage.isInverse ? repeatLinks({ dialect, type: target, storage, id }) : [];
}
