/** To-one relations stored as a foreign key in the owner's own row. */
import type { ContentType, ForeignKeyStorage } from '../../contract/content-type.ts';
import type { Executor } from '../../database/executor.ts';
import { statement, type Statement } from '../../database/write-plan.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { NewId } from '../../database/new-id.ts';
import { join, raw, sql, type Sql, type SqlParam } from '../../database/sql.ts';
import { incrementVersionsById } from '../../write/version.ts';
import { planToOne, releases, type ToOneChange } from './plan-to-one.ts';
import { POSITION_STEP } from '../../contract/position-step.ts';
import type { RelationChange, Target } from './relation-change.ts';
import { competes, releaseOthers, type UniqueColumn, type UniqueScope } from './unique-column.ts';

/** A change of a foreign key. */
export interface ForeignKeyChange {
  readonly storage: ForeignKeyStorage;
  /** For one-to-one relations. */
  readonly scope: UniqueScope;
  /** The type of the target. */
  readonly type: string;
  /** The table of the target, if the other side is one of its attributes: a change then counts as a write of both. */
  readonly bothSides?: string;
  readonly change: RelationChange;
}

/** A one-to-one target that another owner has: it is taken from that owner once this owner's row is written. */
export interface Takeover extends UniqueColumn {
  readonly target: number;
  /** The entry that has it. */
  readonly holder: number;
  /** The target as named in the request. */
  readonly named: Target;
}

/** The planned writes of all foreign keys of a row. */
export interface ForeignKeyPlan {
  /** Column of the owner's row → value. */
  readonly columns: Readonly<Record<string, SqlParam | Sql>>;
  readonly takeovers: readonly Takeover[];
  /** Entries whose side of the relation changes too. */
  readonly otherSides: readonly OtherSide[];
}

/** An entry by its table. */
export interface OtherSide {
  readonly table: string;
  readonly id: number;
}

/** The stored state: the ids of the current target, and of the other owner (`holder`) that has the new target. */
interface State {
  readonly current: number | undefined;
  readonly holder: number | undefined;
}

interface Planned extends ForeignKeyChange {
  readonly toOne: ToOneChange;
}

type PlacedKey = ForeignKeyStorage & { readonly position: string };

interface OwnRow {
  readonly tx: Executor;
  readonly type: Pick<ContentType, 'table'>;
  readonly owner: number | undefined;
}

function targetOf({ toOne }: Planned): Target | undefined {
  return toOne.kind === 'set' ? toOne.target : undefined;
}

function differs(_dialect: Dialect, _column: UniqueColumn, owner: number): Sql {
  return sql`id <> ${owner}`;
}

/** The queries that planning one attribute needs, as `[name, SELECT]`. Each selects an id, or 0 if there is none. */
function neededQueries({ tx, type, owner }: OwnRow, planned: Planned, index: number): [string, Sql][] {
  const { column, position, unique } = planned.storage;
  const name = tx.dialect.id(column);
  const from = tx.dialect.id(type.table);
  const target = targetOf(planned)?.id;
  const queries: [string, Sql][] = [];
  if (owner !== undefined && (planned.toOne.kind === 'release' || position !== undefined || planned.bothSides)) {
    queries.push([`current${index}`, sql`SELECT COALESCE(MAX(${name}), 0) FROM ${from} WHERE id = ${owner}`]);
  }
  if (unique && target !== undefined) {
    // In a localized type, each locale may have an owner of the target; a shared target has one entry as its owner.
    const isOther = planned.scope === 'entries' ? competes : differs;
    const others =
      owner === undefined
        ? sql``
        : sql` AND ${isOther(tx.dialect, { table: type.table, column, scope: planned.scope }, owner)}`;
    queries.push([`holder${index}`, sql`SELECT COALESCE(MIN(id), 0) FROM ${from} WHERE ${name} = ${target}${others}`]);
  }
  return queries;
}

/** Reads the stored state of all attributes with one statement, or none if nothing needs to be known. */
async function readStates(row: OwnRow, changes: readonly Planned[]): Promise<State[]> {
  const queries = changes.flatMap((planned, index) => neededQueries(row, planned, index));
  const { neverNull, id } = row.tx.dialect;
  const parts = queries.map(([name, select]) => sql`${neverNull(select)} AS ${id(name)}`);
  const found = parts.length === 0 ? undefined : await row.tx.get(sql`SELECT ${join(parts, ', ')}`);
  const value = (name: string): number | undefined => {
    const known = found?.[name];
    return Number(known ?? 0) === 0 ? undefined : Number(known);
  };
  return changes.map((_, index) => ({
    current: value(`current${index}`),
    holder: value(`holder${index}`),
  }));
}

/** The position after the last in the target's list, as an expression for the statement that writes the row. */
function endOfList({ tx, type }: OwnRow, { column, position }: PlacedKey, target: number): Sql {
  const { id, neverNull } = tx.dialect;
  const last = sql`SELECT MAX(${id(position)}) AS place FROM ${id(type.table)} WHERE ${id(column)} = ${target}`;
  // MySQL lets a statement read the table that it writes only through a derived table.
  return sql`${neverNull(sql`SELECT COALESCE(e.place, 0) FROM (${last}) AS e`)} + ${raw(String(POSITION_STEP))}`;
}

function columnsFor(row: OwnRow, { storage }: Planned, target: number | null): [string, SqlParam | Sql][] {
  const { column, position } = storage;
  const columns: [string, SqlParam | Sql][] = [[column, target]];
  if (position === undefined) return columns;
  return [...columns, [position, target === null ? null : endOfList(row, { ...storage, position }, target)]];
}

/** The entries with these ids, if the relation is an attribute of theirs too, except the owner: its version is incremented anyway. */
function otherSides(
  { owner, type }: OwnRow,
  { bothSides: table }: Planned,
  ...ids: readonly (number | undefined)[]
): OtherSide[] {
  if (table === undefined) return [];
  return ids.flatMap((id) => (id === undefined || (id === owner && table === type.table) ? [] : [{ table, id }]));
}

/** Plans one attribute. */
function planOne(
  row: OwnRow,
  planned: Planned,
  state: State,
): { columns: [string, SqlParam | Sql][]; takeover?: Takeover; otherSides?: OtherSide[] } {
  const { toOne, storage, scope, type } = planned;
  const { current, holder } = state;
  if (toOne.kind === 'release') {
    const released = current !== undefined && releases(toOne.targets, { type, id: current });
    return released
      ? { columns: columnsFor(row, planned, null), otherSides: otherSides(row, planned, current) }
      : { columns: [] };
  }
  const named = targetOf(planned);
  if (named === undefined) {
    return { columns: columnsFor(row, planned, null), otherSides: otherSides(row, planned, current) };
  }
  const target = named.id;
  // Setting the current target again keeps the position in the target's list.
  if (storage.position !== undefined && current === target) return { columns: [] };
  const changed = current === target ? [] : otherSides(row, planned, current, target);
  if (holder === undefined) return { columns: columnsFor(row, planned, target), otherSides: changed };
  const takeover = { table: row.type.table, scope, column: storage.column, target, holder, named };
  return { columns: columnsFor(row, planned, null), takeover, otherSides: changed };
}

/** Plans all foreign keys of an owner's row; `owner` is undefined for a row that doesn't exist yet. Only reads. */
export async function planForeignKeys(row: OwnRow, changes: readonly ForeignKeyChange[]): Promise<ForeignKeyPlan> {
  const planned = changes.map((change) => ({ toOne: planToOne(change.change), ...change }));
  const states = await readStates(row, planned);
  const plans = planned.flatMap((one, index) => {
    const state = states[index];
    return state ? [planOne(row, one, state)] : [];
  });
  return {
    columns: Object.fromEntries(plans.flatMap(({ columns }) => columns)),
    takeovers: plans.flatMap(({ takeover }) => takeover ?? []),
    otherSides: plans.flatMap((plan) => plan.otherSides ?? []),
  };
}

/** The statements that increment the versions of the other sides: one per table, in the order in which tables are locked. */
export function incrementVersionsOfOtherSides(dialect: Dialect, all: readonly OtherSide[]): readonly Statement[] {
  const tables = [...new Set(all.map(({ table }) => table))].sort();
  return tables.map((table) => {
    const ids = all.filter((side) => side.table === table).map(({ id }) => id);
    return incrementVersionsById(dialect, table, new Set(ids));
  });
}

/** Moves a target from its former owner to this one. */
export function takeOver(dialect: Dialect, takeover: Takeover, owner: number | NewId): readonly Statement[] {
  const { table, column, target } = takeover;
  const take = sql`UPDATE ${dialect.id(table)} SET ${dialect.id(column)} = ${target} WHERE id = ${owner}`;
  return [releaseOthers(dialect, takeover, target, owner), statement(take)];
}
