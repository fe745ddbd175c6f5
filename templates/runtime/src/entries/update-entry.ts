/** Plans the update of an entry, with its relations and components. */
import { COLUMN_NAMES } from '../contract/column-names.ts';
import { sql, type Sql } from '../database/sql.ts';
import { releaseClaims } from '../content/localization/claims.ts';
import { type Columns, scalarColumns, updateWhere } from '../write/columns.ts';
import { setCreators } from '../write/creator-columns.ts';
import { addVersionIncrement } from '../write/version.ts';
import { hasVersionPrecondition, versionCondition } from './preconditions.ts';
import type { EntryInput, StoredEntry } from './context.ts';
import type { Preconditions } from '../query/entry-request.ts';
import { StaleEntryError } from './stale-entry.ts';
import {
  planEntry,
  type PlannedEntry,
  stepsAfterRow,
  timeColumn,
  withPlannedColumns,
  type Write,
} from './write-entry.ts';

/** The condition that the row has an expected version, and the publication state for which its new values were validated. */
function unchangedState(
  { tx, type }: Write,
  { id, published }: StoredEntry,
  { expected, isUnmodified }: Conditions,
): Sql {
  const row = sql`id = ${id}${versionCondition(tx.dialect, expected)}`;
  if (!type.draftAndPublish) return row;
  if (!published) return sql`${row} AND published_at IS NULL`;
  const isPublished = sql`${row} AND published_at IS NOT NULL`;
  if (!isUnmodified || !type.published) return isPublished;
  const time = sql`SELECT p.updated_at FROM ${tx.dialect.id(type.published.table)} AS p WHERE p.id = ${id}`;
  return sql`${isPublished} AND updated_at = (${time})`;
}

/** What must hold of the row, besides its publication state. */
interface Conditions {
  readonly expected?: Preconditions | undefined;
  /** The draft is what is published. */
  readonly isUnmodified?: boolean;
}

/** The columns of the values in `input`, of the timestamps and of the version. */
function changedColumns(write: Write, input: EntryInput): Columns {
  const { tx, type } = write;
  const columns = scalarColumns(tx.dialect, type, input);
  columns.set(COLUMN_NAMES.updatedAt, timeColumn(write, new Date().toISOString()));
  if (type.draftAndPublish && input['publishedAt'] !== undefined) {
    columns.set(COLUMN_NAMES.publishedAt, timeColumn(write, input['publishedAt'] as string | null));
  }
  setCreators(columns, type, write.caller, ['updatedBy']);
  return addVersionIncrement(tx.dialect, columns);
}

/**
 * Plans the UPDATE of an entry, with the values in `input` and `updatedAt`, and the steps after it. `returning` are the columns
 * to return from the UPDATE, if the engine can. Throws ValidationError; the plan throws StaleEntryError if the entry was deleted,
 * published or unpublished meanwhile, or if it has none of the `expected` versions.
 */
export async function planUpdate(
  write: Write,
  stored: StoredEntry,
  input: EntryInput,
  { returning, ...conditions }: Conditions & { readonly returning?: Sql | undefined } = {},
): Promise<PlannedEntry> {
  const { tx, type } = write;
  const { id } = stored;
  const planned = await planEntry(write, id, input);
  const columns = await withPlannedColumns(changedColumns(write, input), write, planned);
  // A locked row is known to exist.
  const isCertain =
    planned.relations.ownerLocked && !type.draftAndPublish && !hasVersionPrecondition(conditions.expected);
  const updated = updateWhere(tx.dialect, type.table, {
    condition: unchangedState(write, stored, conditions),
    columns,
    returning,
    ...(!isCertain && { noRowError: () => new StaleEntryError() }),
  });
  const row = { touches: { table: type.table, ids: [id] }, ...updated };
  const subject = { action: 'update', type: type.uid, id } as const;
  const released = releaseClaims(tx.dialect, type, { id, documentId: stored.localization?.documentId }, input);
  return { subject, id, row, steps: [...released, row, ...stepsAfterRow(write, planned, id, input)] };
}
