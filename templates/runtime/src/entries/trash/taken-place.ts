/** Whether there is a successor of a deleted entry: in one of its locales or, of a single type, the entry that was made instead. */
import type { ContentType } from '../../contract/content-type.ts';
import { type Issue, ValidationError } from '../../contract/errors.ts';
import { UniqueViolation } from '../../database/database.ts';
import type { Executor } from '../../database/executor.ts';
import { join, raw, sql, type Sql } from '../../database/sql.ts';
import type { Transaction } from '../../database/write-plan.ts';
import { lockFirstEntry } from '../first-entry.ts';

/** What identifies the rows that were deleted. */
export interface DeletedPlace {
  readonly ids: readonly number[];
  readonly documentId: string | undefined;
  readonly locales: readonly string[];
}

/** The condition that the row `t` succeeds a deleted one; undefined where none can. */
function succeeds({ localized, kind }: ContentType, { documentId, locales }: DeletedPlace): Sql | undefined {
  const isSingle = kind === 'singleType';
  if (!localized) return isSingle ? sql`1 = 1` : undefined;
  if (documentId === undefined || locales.length === 0) return undefined;
  const inLocale = locales.map((locale) => sql`t.locale = ${locale}`);
  const isSame = sql`t.document_id = ${documentId} AND (${join(inLocale, ' OR ')})`;
  // All locales of a single type belong to one document.
  return isSingle ? sql`(t.document_id <> ${documentId} OR ${isSame})` : isSame;
}

async function takenIssue(executor: Executor, type: ContentType, place: DeletedPlace): Promise<Issue | undefined> {
  const condition = succeeds(type, place);
  if (!condition) return undefined;
  const { id, isOneOf } = executor.dialect;
  const column = raw(type.localized ? 't.locale' : 't.id');
  const rows = await executor.all(
    sql`SELECT ${column} AS k FROM ${id(type.table)} AS t WHERE ${condition} AND NOT (${isOneOf(raw('t.id'), place.ids)}) ORDER BY t.id`,
  );
  if (rows.length === 0) return undefined;
  const where = type.localized ? ` in ${rows.map(({ k }) => String(k)).join(', ')}` : '';
  return { path: [], message: `This entry exists again${where}: change that one instead` };
}

/** Throws ValidationError if there is a successor. Of a single type, none is added until the end of the transaction. */
export async function requirePlace(tx: Transaction, type: ContentType, place: DeletedPlace): Promise<void> {
  if (type.kind === 'singleType') await lockFirstEntry(tx, type);
  const issue = await takenIssue(tx, type, place);
  if (issue) throw new ValidationError([issue]);
}

/** For a unique violation by a successor that another write has added meanwhile: a ValidationError. Otherwise the same error. */
export async function explainedPlace(
  error: unknown,
  { executor, type }: { readonly executor: Executor; readonly type: ContentType },
  place: DeletedPlace,
): Promise<unknown> {
  if (!(error instanceof UniqueViolation)) return error;
  const issue = await takenIssue(executor, type, place);
  return issue ? new ValidationError([issue]) : error;
}
