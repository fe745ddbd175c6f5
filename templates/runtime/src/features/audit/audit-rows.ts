/** Reads the rows of the audit. */
import { AUDIT_LOG_TABLE, type AuditActor, type AuditRow } from '../../contract/audit/audit-log.ts';
import { COLUMN_NAMES } from '../../contract/column-names.ts';
import type { Executor } from '../../database/executor.ts';
import { join, raw, sql, type Sql } from '../../database/sql.ts';
import type { Row } from '../../database/statement-runner.ts';

const log = raw(AUDIT_LOG_TABLE);
const COLUMNS = raw(
  'id, since, event, actor_kind, actor_id, subject, subject_id, document_id, entry_locale, request_id, address, details, position, hash',
);

/** Which rows to read. */
export interface AuditFilter {
  readonly actor?: AuditActor | undefined;
  readonly event?: string | undefined;
  readonly type?: string | undefined;
  readonly subjectId?: number | undefined;
  /** In milliseconds since 1970. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

function textOf(value: Row[string] | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}

function numberOf(value: Row[string] | undefined): number | null {
  return value === null || value === undefined ? null : Number(value);
}

export function auditRow(row: Row): AuditRow {
  const actorId = numberOf(row['actor_id']);
  const details = textOf(row['details']);
  return {
    id: Number(row['id']),
    at: new Date(Number(row['since'])).toISOString(),
    event: String(row['event']),
    actor: { kind: String(row['actor_kind']) as AuditActor['kind'], ...(actorId !== null && { id: actorId }) },
    type: textOf(row['subject']),
    subjectId: numberOf(row['subject_id']),
    documentId: textOf(row[COLUMN_NAMES.documentId]),
    locale: textOf(row['entry_locale']),
    requestId: textOf(row['request_id']),
    address: textOf(row['address']),
    details: details === null ? null : (JSON.parse(details) as AuditRow['details']),
    position: numberOf(row['position']),
    hash: textOf(row['hash']),
  };
}

function conditionsOf({ actor, event, type, subjectId, from, to }: AuditFilter): readonly Sql[] {
  return [
    ...(actor ? [sql`actor_kind = ${actor.kind}`] : []),
    ...(actor?.id === undefined ? [] : [sql`actor_id = ${actor.id}`]),
    ...(event === undefined ? [] : [sql`event = ${event}`]),
    ...(type === undefined ? [] : [sql`subject = ${type}`]),
    ...(subjectId === undefined ? [] : [sql`subject_id = ${subjectId}`]),
    ...(from === undefined ? [] : [sql`since >= ${from}`]),
    ...(to === undefined ? [] : [sql`since < ${to}`]),
  ];
}

/** The last rows before one of them, the newest first. */
export async function findAudit(
  executor: Executor,
  filter: AuditFilter,
  { before, most }: { readonly before: number | undefined; readonly most: number },
): Promise<readonly AuditRow[]> {
  const all = [...conditionsOf(filter), ...(before === undefined ? [] : [sql`id < ${before}`])];
  const where = all.length === 0 ? raw('') : sql` WHERE ${join(all, ' AND ')}`;
  const rows = await executor.all(
    sql`SELECT ${COLUMNS} FROM ${log}${where} ORDER BY id DESC LIMIT ${raw(String(most))}`,
  );
  return rows.map(auditRow);
}

/** The next links of the chain after a position. */
export async function linksAfter(executor: Executor, position: number, most: number): Promise<readonly AuditRow[]> {
  const rows = await executor.all(
    sql`SELECT ${COLUMNS} FROM ${log} WHERE position > ${position} ORDER BY position LIMIT ${raw(String(most))}`,
  );
  return rows.map(auditRow);
}

/** The next rows that are no links of the chain yet, in the order of their ids. */
export async function unlinked(executor: Executor, most: number): Promise<readonly AuditRow[]> {
  const rows = await executor.all(
    sql`SELECT ${COLUMNS} FROM ${log} WHERE position IS NULL ORDER BY id LIMIT ${raw(String(most))}`,
  );
  return rows.map(auditRow);
}
