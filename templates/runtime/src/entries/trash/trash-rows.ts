/** The rows of deleted entries. */
import { COLUMN_NAMES } from '../../contract/column-names.ts';
import { TRASH_TABLE } from '../../contract/trash/trash-table.ts';
import type { CapturedTable } from '../../content/stored-rows/captured-rows.ts';
import type { Database } from '../../database/database.ts';
import type { Executor } from '../../database/executor.ts';
import { type MovedClock, nowOf } from '../../database/moved-clock.ts';
import { deleteRows, raw, sql, type Sql } from '../../database/sql.ts';
import type { Row } from '../../database/statement-runner.ts';
import type { EntryKey } from '../../query/entry-id.ts';

export const table = raw(TRASH_TABLE);

/** What is kept of a deleted entry: the ids of its rows, one for each locale, and all that was stored of them. */
export interface TrashContent {
  readonly ids: readonly number[];
  readonly tables: readonly CapturedTable[];
}

export interface TrashRow {
  /** Identifies the deletion. */
  readonly key: number;
  readonly id: number;
  readonly documentId: string | undefined;
  readonly title: string | undefined;
  readonly locales: readonly string[] | undefined;
  readonly isPublished: boolean;
  /** In milliseconds since 1970, as `dueAt`. */
  readonly deletedAt: number;
  /** When it is gone for good. */
  readonly dueAt: number;
  readonly by: { readonly kind: string; readonly id?: number };
}

const COLUMNS = raw('id, entry_id, document_id, title, locales, is_published, deleted_at, due_at, actor');

function textOf(value: Row[string] | undefined): string | undefined {
  return value === null || value === undefined ? undefined : String(value);
}

function trashRow(row: Row): TrashRow {
  const locales = textOf(row['locales']);
  return {
    key: Number(row['id']),
    id: Number(row['entry_id']),
    documentId: textOf(row[COLUMN_NAMES.documentId]),
    title: textOf(row['title']),
    locales: locales === undefined ? undefined : (JSON.parse(locales) as string[]),
    isPublished: Number(row['is_published']) === 1,
    deletedAt: Number(row['deleted_at']),
    dueAt: Number(row['due_at']),
    by: JSON.parse(String(row['actor'])) as TrashRow['by'],
  };
}

/** The last deletions of a type, or those before one. */
export async function listTrash(
  executor: Executor,
  clock: MovedClock,
  { type, before, by, most }: { type: string; before: number | undefined; by: Sql; most: number },
): Promise<readonly TrashRow[]> {
  const rest = before === undefined ? raw('') : sql` AND id < ${before}`;
  const rows = await executor.all(
    sql`SELECT ${COLUMNS} FROM ${table} WHERE subject = ${type} AND due_at > ${nowOf(executor, clock)} AND ${by}${rest} ORDER BY id DESC LIMIT ${raw(String(most))}`,
  );
  return rows.map(trashRow);
}

function isNamed(key: EntryKey | undefined): Sql {
  if (key === undefined) return sql`1 = 1`;
  return typeof key === 'number' ? sql`entry_id = ${key}` : sql`document_id = ${key.documentId}`;
}

/** The last deletion of an entry. */
export async function findTrashed(
  executor: Executor,
  clock: MovedClock,
  { type, key, by }: { type: string; key: EntryKey | undefined; by: Sql },
): Promise<{ readonly row: TrashRow; readonly content: TrashContent } | undefined> {
  const found = await executor.get(
    sql`SELECT ${COLUMNS}, content FROM ${table} WHERE subject = ${type} AND ${isNamed(key)} AND due_at > ${nowOf(executor, clock)} AND ${by} ORDER BY id DESC LIMIT 1`,
  );
  return found && { row: trashRow(found), content: JSON.parse(String(found['content'])) as TrashContent };
}

/** How many rows are deleted at a time. */
const RANGE = 200;

/** Deletes what is not kept any longer, in ranges. */
export async function emptyTrash(database: Database, clock: MovedClock): Promise<void> {
  for (;;) {
    const rows = await database.all(
      sql`SELECT id FROM ${table} WHERE due_at <= ${nowOf(database, clock)} ORDER BY due_at, id LIMIT ${raw(String(RANGE))}`,
    );
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => Number(id));
    await database.run(deleteRows(table, database.dialect.isOneOf(raw('id'), ids)));
    if (rows.length < RANGE) return;
  }
}
