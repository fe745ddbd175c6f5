/** What an entry was before a write and is after it, as far as answers are told apart by it. */
import type { Dialect } from '../../database/dialect.ts';
import { NewId } from '../../database/new-id.ts';
import { join, raw, sql, type Sql } from '../../database/sql.ts';
import type { Row } from '../../database/statement-runner.ts';
import type { Outcome, Statement } from '../../database/write-plan.ts';
import type { ExactLinks, ExactType } from './exact-types.ts';

/** Of more, it is not known to whom an entry is related. */
const MOST_LINKS = 1000;

export interface EntryState {
  /** As text, by the index of `columns` and then of `referred` of the type; null as ''. */
  readonly values: readonly string[];
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

function idsByOwner(rows: readonly Row[]): ReadonlyMap<number, readonly number[]> {
  const byOwner = new Map<number, number[]>();
  for (const { k, o } of rows) {
    const list = byOwner.get(Number(k));
    if (list) list.push(Number(o));
    else byOwner.set(Number(k), [Number(o)]);
  }
  return byOwner;
}

export interface StateRead {
  readonly steps: readonly Statement[];
  /** By id, once the steps have run. */
  statesOf(outcome: Outcome): ReadonlyMap<number, EntryState>;
}

/** A statement of rows of entries: `column` holds the ids of those. */
interface Template {
  readonly column: Sql;
  /** `most`: how many rows, where that is limited. */
  around(condition: Sql, most: number): Sql;
}

function rowsOf({ id }: Dialect, { table, columns, referred }: ExactType, lock: Sql): Template {
  // Not joined: a lock is for the rows of the type alone.
  const related = referred.map(
    ({ reference, table: from, column, as }) =>
      sql`(SELECT r.${id(column)} FROM ${id(from)} AS r WHERE r.id = t.${id(reference)}) AS ${id(as)}`,
  );
  const shown = join([...columns.map(({ column }) => sql`t.${id(column)}`), ...related], ', ');
  return {
    column: raw('t.id'),
    around: (condition) => sql`SELECT ${shown} FROM ${id(table)} AS t WHERE ${condition} ORDER BY t.id${lock}`,
  };
}

function linkRowsOf({ id }: Dialect, { table, own, other, position }: ExactLinks): Template {
  const column = sql`l.${id(own)}`;
  const order = position === undefined ? sql`l.${id(other)}` : sql`l.${id(position)}, l.${id(other)}`;
  return {
    column,
    around: (condition, most) =>
      sql`SELECT ${column} AS k, l.${id(other)} AS o FROM ${id(table)} AS l WHERE ${condition} ORDER BY ${column}, ${order} LIMIT ${raw(String(most))}`,
  };
}

/** Makes the statement for some entries; most writes are of one, whose text is made once. */
function statementOf(dialect: Dialect, { column, around }: Template): (ids: EntryIds) => Statement {
  const { text } = around(sql`${column} = ${null}`, MOST_LINKS + 1);
  return (ids) => {
    if (ids.length === 1) return { sql: { text, params: ids }, returns: 'rows' };
    const known = ids.filter((one) => typeof one === 'number');
    const made = ids.filter((one) => one instanceof NewId).map((one) => sql`${column} = ${one}`);
    const all = [...(known.length > 0 ? [dialect.isOneOf(column, known)] : []), ...made];
    return { sql: around(sql`(${join(all, ' OR ')})`, MOST_LINKS * ids.length + 1), returns: 'rows' };
  };
}

export type EntryIds = readonly (number | NewId)[];

/** Makes what reads the states of entries of a type. `locks`: nobody else may change them until the end of the transaction. */
export function stateReader(dialect: Dialect, type: ExactType, locks: boolean): (ids: EntryIds) => StateRead {
  const rowsFor = statementOf(dialect, rowsOf(dialect, type, locks ? dialect.rowLock : raw('')));
  const linksFor = type.links.map((links) => statementOf(dialect, linkRowsOf(dialect, links)));
  const names = [...type.columns.map(({ column }) => column), ...type.referred.map(({ as }) => as)];
  return (ids) => {
    const rows = rowsFor(ids);
    const linked = linksFor.map((made) => made(ids));
    return {
      steps: [rows, ...linked],
      statesOf(outcome) {
        const lists = linked.map((one) => {
          const found = outcome.of(one).rows;
          return found.length > MOST_LINKS * ids.length ? undefined : idsByOwner(found);
        });
        return new Map(
          outcome.of(rows).rows.map((row) => {
            const own = Number(row['id']);
            const values = names.map((name) => textOfValue(row[name]));
            return [own, { values, links: lists.map((byOwner) => byOwner && (byOwner.get(own) ?? [])) }];
          }),
        );
      },
    };
  };
}
