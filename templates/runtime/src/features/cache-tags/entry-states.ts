/** What an entry was before a write and is after it, as far as answers are told apart by it. */
import type { Dialect } from '../../database/dialect.ts';
import { NewId } from '../../database/new-id.ts';
import { join, raw, sql, type Sql } from '../../database/sql.ts';
import type { Outcome, Statement } from '../../database/write-plan.ts';
import type { ExactType } from './exact-types.ts';

/** Of more, it is not known to whom an entry is related. */
const MOST_LINKS = 1000;

export interface EntryState {
  /** Column → value as text; null as ''. */
  readonly values: ReadonlyMap<string, string>;
  /** The ids of the others by the index of `links` of the type, in their order; undefined if there are too many. */
  readonly links: readonly (readonly number[] | undefined)[];
}

/** Equal values of one column have equal texts, whatever the engine returns. */
export function textOfValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'bigint':
      return String(value);
    case 'boolean':
      return value ? '1' : '0';
    default:
      return value instanceof Date ? value.toISOString() : '';
  }
}

export interface StateRead {
  readonly steps: readonly Statement[];
  /** By id, once the steps have run. */
  statesOf(outcome: Outcome): ReadonlyMap<number, EntryState>;
}

/** Reads the states of entries of a type. `locks`: nobody else may change them until the end of the transaction. */
export function readStates(
  dialect: Dialect,
  { table, columns, links, referred }: ExactType,
  ids: readonly (number | NewId)[],
  locks: boolean,
): StateRead {
  const { id } = dialect;
  const isOneOf = (column: Sql): Sql => {
    const known = ids.filter((one) => typeof one === 'number');
    const made = ids.filter((one) => one instanceof NewId).map((one) => sql`${column} = ${one}`);
    const all = [...(known.length > 0 ? [dialect.isOneOf(column, known)] : []), ...made];
    return sql`(${join(all, ' OR ')})`;
  };
  // Not joined: a lock is for the rows of the type alone.
  const related = referred.map(
    ({ reference, table: from, column, as }) =>
      sql`(SELECT r.${id(column)} FROM ${id(from)} AS r WHERE r.id = t.${id(reference)}) AS ${id(as)}`,
  );
  const shown = [...columns.map(({ column }) => sql`t.${id(column)}`), ...related];
  const lock = locks ? dialect.rowLock : raw('');
  const rows: Statement = {
    sql: sql`SELECT ${join(shown, ', ')} FROM ${id(table)} AS t WHERE ${isOneOf(raw('t.id'))} ORDER BY t.id${lock}`,
    returns: 'rows',
  };
  const linked = links.map(({ table: from, own, other, position }): Statement => {
    const order = position === undefined ? sql`l.${id(other)}` : sql`l.${id(position)}, l.${id(other)}`;
    const most = raw(String(MOST_LINKS * ids.length + 1));
    return {
      sql: sql`SELECT l.${id(own)} AS k, l.${id(other)} AS o FROM ${id(from)} AS l WHERE ${isOneOf(sql`l.${id(own)}`)} ORDER BY l.${id(own)}, ${order} LIMIT ${most}`,
      returns: 'rows',
    };
  });
  return {
    steps: [rows, ...linked],
    statesOf(outcome) {
      const lists = linked.map((one) => {
        const found = outcome.of(one).rows;
        const byOwner = new Map<number, number[]>();
        for (const { k, o } of found) {
          const list = byOwner.get(Number(k)) ?? [];
          byOwner.set(Number(k), list);
          list.push(Number(o));
        }
        return { byOwner, isWhole: found.length <= MOST_LINKS * ids.length };
      });
      return new Map(
        outcome.of(rows).rows.map((row) => {
          const own = Number(row['id']);
          const values = new Map(
            [...columns.map(({ column }) => column), ...referred.map(({ as }) => as)].map((name) => [
              name,
              textOfValue(row[name]),
            ]),
          );
          const all = lists.map(({ byOwner, isWhole }) => (isWhole ? (byOwner.get(own) ?? []) : undefined));
          return [own, { values, links: all }];
        }),
      );
    },
  };
}
