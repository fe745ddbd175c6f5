/** The rows of schedules: when an entry is published, and when it is taken back. */
import { PUBLICATIONS_TABLE } from '../../contract/schedules/schedule-tables.ts';
import type { Executor } from '../../database/executor.ts';
import { deleteRows, join, raw, sql, type Sql } from '../../database/sql.ts';
import type { Row } from '../../database/statement-runner.ts';
import { statement, type Statement } from '../../database/write-plan.ts';
import { DUE } from './due-rows.ts';
import { type Refusal, storedRefusal } from './refusal.ts';

export const PUBLICATION_ACTIONS = ['publish', 'unpublish'] as const;

export type ScheduledAction = (typeof PUBLICATION_ACTIONS)[number];

/** `state` of rows that were refused. */
export const REFUSED = 1;

export const table = raw(PUBLICATIONS_TABLE);

/** Of the table as `o`. */
export const COLUMNS = raw('o.id, o.subject, o.entry_id, o.action, o.planned_at, o.state, o.attempts, o.reason');

export interface PublicationRow {
  readonly id: number;
  /** The uid of the type. */
  readonly type: string;
  readonly entryId: number;
  readonly action: ScheduledAction;
  /** In milliseconds since 1970. */
  readonly plannedAt: number;
  readonly isRefused: boolean;
  /** Tries that have begun. */
  readonly attempts: number;
  readonly refusal: Refusal | undefined;
}

export function publicationRow(row: Row): PublicationRow {
  return {
    id: Number(row['id']),
    type: String(row['subject']),
    entryId: Number(row['entry_id']),
    action: row['action'] === 'publish' ? 'publish' : 'unpublish',
    plannedAt: Number(row['planned_at']),
    isRefused: Number(row['state']) === REFUSED,
    attempts: Number(row['attempts']),
    refusal: storedRefusal(row['reason']),
  };
}

/** Which entry. */
export interface Entry {
  readonly type: string;
  readonly id: number;
}

function ofEntry({ type, id }: Entry): Sql {
  return sql`subject = ${type} AND entry_id = ${id}`;
}

export async function rowsOfEntry(executor: Pick<Executor, 'all'>, entry: Entry): Promise<readonly PublicationRow[]> {
  const rows = await executor.all(sql`SELECT ${COLUMNS} FROM ${table} o WHERE ${ofEntry(entry)}`);
  return rows.map(publicationRow);
}

/** The next rows of the types, and those that were refused. */
export async function nextRows(
  executor: Executor,
  types: readonly string[],
  most: number,
): Promise<readonly PublicationRow[]> {
  if (types.length === 0) return [];
  const isTheirs = sql`o.subject IN (${join(
    types.map((type) => sql`${type}`),
    ', ',
  )})`;
  const rows = await executor.all(
    sql`SELECT ${COLUMNS} FROM ${table} o WHERE ${isTheirs} ORDER BY o.state DESC, o.due_at, o.id LIMIT ${raw(String(most))}`,
  );
  return rows.map(publicationRow);
}

/** The statements that set the time of an action; null removes it. */
export function setTime(
  entry: Entry,
  action: ScheduledAction,
  { time, actor }: { readonly time: number | null; readonly actor: string },
): readonly Statement[] {
  const former = statement(deleteRows(table, sql`${ofEntry(entry)} AND action = ${action}`));
  if (time === null) return [former];
  const values = sql`${entry.type}, ${entry.id}, ${action}, ${time}, ${DUE}, ${time}, 0, ${actor}`;
  return [
    former,
    statement(
      sql`INSERT INTO ${table} (subject, entry_id, action, planned_at, state, due_at, attempts, actor) VALUES (${values})`,
    ),
  ];
}
