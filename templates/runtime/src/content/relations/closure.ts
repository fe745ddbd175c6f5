/** What a deletion deletes: entries, and those that go with them (`onDelete: cascade`), and so on. */
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import { ValidationError } from '../../contract/errors.ts';
import { MAX_CASCADE } from '../../contract/limits.ts';
import type { Dialect } from '../../database/dialect.ts';
import { join, raw, sql, type Sql } from '../../database/sql.ts';
import { statement, type Statement, type Transaction } from '../../database/write-plan.ts';
import { otherRowOf } from '../localization/pass-on-links.ts';
import type { EntryOf } from './reach.ts';
import { type Referrer, referrersOf } from './referrers.ts';

/** An entry of the closure that refers to another one, which can only be deleted after it. */
interface Edge {
  readonly from: EntryOf;
  readonly by: Referrer;
}

/** All that a deletion deletes. */
export interface Closure {
  /** In the order in which they are deleted: an entry before those to which it refers. */
  readonly rows: readonly EntryOf[];
  idsOf(type: ContentType): readonly number[];
  has(type: ContentType, id: number): boolean;
  /** The statements that take the relations from entries that refer to each other in a circle. */
  cuts(dialect: Dialect): readonly Statement[];
}

function keyOf({ type, id }: EntryOf): string {
  return `${type.uid}:${id}`;
}

/** Locks rows, so that no others come to refer to them meanwhile. */
async function lock(tx: Transaction, type: ContentType, ids: readonly number[]): Promise<void> {
  const { dialect } = tx;
  if (dialect.rowLock.text === '') return;
  const isOne = dialect.isOneOf(sql`t.id`, ids);
  await tx.all(sql`SELECT t.id FROM ${dialect.id(type.table)} AS t WHERE ${isOne} ORDER BY t.id${dialect.rowLock}`);
}

/** Those of the rows whose entries keep no other row, to which relations between entries would then refer. */
export async function endingRows(
  tx: Transaction,
  type: ContentType,
  ids: readonly number[],
  gone: readonly number[],
): Promise<readonly number[]> {
  const ending: number[] = [];
  for (const id of ids) if ((await otherRowOf(tx, type, id, gone)) === undefined) ending.push(id);
  return ending;
}

class Collected implements Closure {
  readonly #ids = new Map<string, Set<number>>();
  readonly #edges = new Map<string, Edge[]>();
  readonly #loops: Edge[] = [];
  #rows: readonly EntryOf[] = [];
  #count = 0;

  get rows(): readonly EntryOf[] {
    return this.#rows;
  }

  idsOf({ uid }: ContentType): readonly number[] {
    return [...(this.#ids.get(uid) ?? [])];
  }

  has = ({ uid }: ContentType, id: number): boolean => this.#ids.get(uid)?.has(id) === true;

  /** Returns whether it is new. */
  add({ type, id }: EntryOf): boolean {
    if (this.has(type, id)) return false;
    const ids = this.#ids.get(type.uid) ?? new Set();
    this.#ids.set(type.uid, ids.add(id));
    this.#count += 1;
    return true;
  }

  get size(): number {
    return this.#count;
  }

  addEdge(to: EntryOf, edge: Edge): void {
    const edges = this.#edges.get(keyOf(to)) ?? [];
    this.#edges.set(keyOf(to), [...edges, edge]);
  }

  /** Later rows come first: the first row of a document has its links until the end. */
  sort(roots: readonly EntryOf[]): void {
    const rows: EntryOf[] = [];
    const state = new Map<string, 'entered' | 'left'>();
    const visit = (row: EntryOf): void => {
      state.set(keyOf(row), 'entered');
      for (const edge of (this.#edges.get(keyOf(row)) ?? []).toSorted((a, b) => b.from.id - a.from.id)) {
        const known = state.get(keyOf(edge.from));
        if (known === undefined) visit(edge.from);
        else if (known === 'entered') this.#loops.push(edge);
      }
      state.set(keyOf(row), 'left');
      rows.push(row);
    };
    for (const root of roots.toSorted((a, b) => b.id - a.id)) if (!state.has(keyOf(root))) visit(root);
    this.#rows = rows;
  }

  cuts({ id }: Dialect): readonly Statement[] {
    return this.#loops.map(({ from, by: { table, own, column, type } }) => {
      const isOwn = sql`${id(own)} = ${from.id}`;
      return statement(
        table === type.table
          ? sql`UPDATE ${id(table)} SET ${id(column)} = NULL WHERE ${isOwn}`
          : sql`DELETE FROM ${id(table)} WHERE ${isOwn}`,
      );
    });
  }
}

/** Selects who refers to these rows: `part`, `own` and `target`. */
function selectReferring(
  dialect: Dialect,
  { table, own, column }: Referrer,
  part: number,
  ids: readonly number[],
): Sql {
  const target = sql`s.${dialect.id(column)}`;
  const rows = sql`SELECT s.${dialect.id(own)} AS own, ${target} AS target FROM ${dialect.id(table)} AS s WHERE ${dialect.isOneOf(target, ids)}`;
  const limited = sql`SELECT * FROM (${rows}) AS r LIMIT ${raw(String(MAX_CASCADE + 1))}`;
  return sql`SELECT ${raw(String(part))} AS part, f.own, f.target FROM (${limited}) AS f`;
}

function tooMany(type: ContentType): ValidationError {
  const message = `more than ${MAX_CASCADE} entries would be deleted with it, among them entries of ${type.uid}: delete some of these first`;
  return new ValidationError([{ path: [], message }]);
}

/** The entries that go with those of one type. */
async function dependentsOf(
  tx: Transaction,
  types: ContentTypes,
  { type, ids, found }: { readonly type: ContentType; readonly ids: readonly number[]; readonly found: Collected },
): Promise<readonly EntryOf[]> {
  const binding = referrersOf(types, type).filter(({ rule }) => rule !== 'setNull');
  if (binding.length === 0) return [];
  await lock(tx, type, ids);
  const asked = binding.filter(({ rule }) => rule === 'cascade');
  if (asked.length === 0) return [];
  const isLocalizedShared = type.localized && asked.some(({ shared }) => shared);
  const ending = isLocalizedShared ? await endingRows(tx, type, ids, found.idsOf(type)) : ids;
  const selects = asked.flatMap((referrer, part) => {
    const targets = referrer.shared ? ending : ids;
    return targets.length === 0 ? [] : [selectReferring(tx.dialect, referrer, part, targets)];
  });
  if (selects.length === 0) return [];
  const added: EntryOf[] = [];
  for (const row of await tx.all(join(selects, ' UNION ALL '))) {
    const by = asked[Number(row['part'])];
    if (!by) continue;
    const from = { type: by.type, id: Number(row['own']) };
    found.addEdge({ type, id: Number(row['target']) }, { from, by });
    if (found.add(from)) added.push(from);
  }
  return added;
}

function byType(rows: readonly EntryOf[]): ReadonlyMap<ContentType, readonly number[]> {
  const groups = new Map<ContentType, number[]>();
  for (const { type, id } of rows) groups.set(type, [...(groups.get(type) ?? []), id]);
  return groups;
}

/** Entries of the closure that keep others of it (`onDelete: restrict`) are deleted before these. */
async function addRestrictions(tx: Transaction, types: ContentTypes, found: Collected, all: readonly ContentType[]) {
  for (const type of all) {
    const holding = referrersOf(types, type).filter(
      ({ rule, published, type: owner }) => rule === 'restrict' && !published && found.idsOf(owner).length > 0,
    );
    if (holding.length === 0) continue;
    const { dialect } = tx;
    const selects = holding.map(({ table, own, column, type: owner }, part) => {
      const [from, target] = [sql`s.${dialect.id(own)}`, sql`s.${dialect.id(column)}`];
      return sql`SELECT ${raw(String(part))} AS part, ${from} AS own, ${target} AS target FROM ${dialect.id(table)} AS s WHERE ${dialect.isOneOf(target, found.idsOf(type))} AND ${dialect.isOneOf(from, found.idsOf(owner))}`;
    });
    for (const row of await tx.all(join(selects, ' UNION ALL '))) {
      const by = holding[Number(row['part'])];
      if (!by) continue;
      found.addEdge({ type, id: Number(row['target']) }, { from: { type: by.type, id: Number(row['own']) }, by });
    }
  }
}

/** What deleting these entries deletes. Reads only where others go with them. Throws ValidationError if these are too many. */
export async function findClosure(
  tx: Transaction,
  types: ContentTypes,
  { type, ids }: { readonly type: ContentType; readonly ids: readonly number[] },
): Promise<Closure> {
  const found = new Collected();
  const roots = ids.map((id) => ({ type, id }));
  for (const root of roots) found.add(root);
  const reached = new Set<ContentType>();
  for (let frontier: readonly EntryOf[] = roots; frontier.length > 0;) {
    const next: EntryOf[] = [];
    for (const [of, own] of byType(frontier)) {
      reached.add(of);
      next.push(...(await dependentsOf(tx, types, { type: of, ids: own, found })));
      const [last] = next;
      if (last && found.size - ids.length > MAX_CASCADE) throw tooMany(last.type);
    }
    frontier = next;
  }
  await addRestrictions(tx, types, found, [...reached]);
  found.sort(roots);
  return found;
}
