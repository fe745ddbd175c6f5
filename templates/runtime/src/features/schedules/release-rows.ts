/** The rows of releases. */
import { COLUMN_NAMES } from '../../contract/column-names.ts';
import { RELEASES_TABLE } from '../../contract/schedules/schedule-tables.ts';
import { type EventName, RELEASE_SUBJECT } from '../../contract/events/event-names.ts';
import type { Executor } from '../../database/executor.ts';
import type { NewId } from '../../database/new-id.ts';
import { raw, sql, type Sql } from '../../database/sql.ts';
import type { Row } from '../../database/statement-runner.ts';
import type { Subject } from '../../database/write-plan.ts';
import { DUE } from './due-rows.ts';
import type { ScheduledAction } from './publication-rows.ts';
import type { Refusal } from './refusal.ts';
import { timeText } from './schedule-view.ts';

/** `state` of rows: due at `due_at`; without a time; published; reverted. */
export const RELEASE_STATE = { planned: DUE, open: 1, published: 2, reverted: 3 } as const;

export type ReleaseState = keyof typeof RELEASE_STATE;

/** An entry of a release. */
export interface ReleaseItem {
  readonly type: string;
  /** The id of its row. */
  readonly id: number;
  readonly documentId?: string;
  readonly locale?: string;
  readonly action: ScheduledAction;
}

/** Why an item was refused. */
export interface ItemRefusal extends Refusal {
  /** Its index. */
  readonly item: number;
}

export interface ReleaseRow {
  readonly id: number;
  readonly name: string;
  readonly items: readonly ReleaseItem[];
  readonly state: ReleaseState;
  /** In milliseconds since 1970, as `createdAt` and `publishedAt`. */
  readonly plannedAt: number | undefined;
  readonly version: number;
  readonly createdAt: number;
  readonly publishedAt: number | undefined;
  readonly refusals: readonly ItemRefusal[];
}

export const table = raw(RELEASES_TABLE);

/** Of the table as `o`, without what was published before. */
export const COLUMNS = raw(
  'o.id, o.name, o.items, o.planned_at, o.state, o.attempts, o.version, o.created_at, o.published_at, o.reason',
);

function numberOf(value: Row[string] | undefined): number | undefined {
  return value === null || value === undefined ? undefined : Number(value);
}

function jsonOf<T>(value: Row[string] | undefined, otherwise: T): T {
  return typeof value === 'string' ? (JSON.parse(value) as T) : otherwise;
}

/** The subject of a write that tells of a release. */
export function releaseSubject(
  event: Extract<EventName, `release.${string}`>,
  { id, name, items }: Pick<ReleaseRow, 'id' | 'name' | 'items'>,
  more: object = {},
): Subject {
  const told = { event, content: { id, name, items, ...more } };
  return { action: 'update', type: RELEASE_SUBJECT, id, told };
}

/** The subject of a write that plans a release. */
export function plannedRelease(
  action: 'create' | 'update' | 'delete',
  id: number | NewId,
  at?: number | null,
): Subject {
  const details = at === undefined ? undefined : { at: at === null ? null : timeText(at) };
  return {
    action,
    type: RELEASE_SUBJECT,
    id,
    recorded: { event: `release.${action}`, ...(details && { details }) },
  };
}

export function releaseRow(row: Row): ReleaseRow {
  const state = Number(row['state']);
  const names = Object.keys(RELEASE_STATE) as ReleaseState[];
  return {
    id: Number(row['id']),
    name: String(row['name']),
    items: jsonOf<readonly ReleaseItem[]>(row['items'], []),
    state: names.find((name) => RELEASE_STATE[name] === state) ?? 'open',
    plannedAt: numberOf(row['planned_at']),
    version: Number(row['version']),
    createdAt: Number(row[COLUMN_NAMES.createdAt]),
    publishedAt: numberOf(row[COLUMN_NAMES.publishedAt]),
    refusals: jsonOf<readonly ItemRefusal[]>(row['reason'], []),
  };
}

export async function findRelease(executor: Pick<Executor, 'get'>, id: number): Promise<ReleaseRow | undefined> {
  const row = await executor.get(sql`SELECT ${COLUMNS} FROM ${table} o WHERE o.id = ${id}`);
  return row && releaseRow(row);
}

/** The newest releases, or those before one. */
export async function listReleases(
  executor: Pick<Executor, 'all'>,
  { before, most }: { readonly before: number | undefined; readonly most: number },
): Promise<readonly ReleaseRow[]> {
  const where: Sql = before === undefined ? raw('1 = 1') : sql`o.id < ${before}`;
  const rows = await executor.all(
    sql`SELECT ${COLUMNS} FROM ${table} o WHERE ${where} ORDER BY o.id DESC LIMIT ${raw(String(most))}`,
  );
  return rows.map(releaseRow);
}
