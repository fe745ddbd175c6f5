/** Plans the change of an entry, with its relations and components. */
import type { ContentType } from '../contract/content-type.ts';
import { sql, type Sql } from '../database/sql.ts';
import { type Columns, scalarColumns, updateWhere } from '../write/columns.ts';
import type { EntryInput, StoredEntry } from './context.ts';
import { StaleEntryError } from './stale-entry.ts';
import {
  planEntry,
  type PlannedEntry,
  stepsAfterRow,
  timeColumn,
  withPlannedColumns,
  type Write,
} from './write-entry.ts';

/** The row, if it is still a draft, or still published: by that its new values were checked. */
function unchangedState(type: ContentType, { id, published }: StoredEntry): Sql {
  if (!type.draftAndPublish) return sql`id = ${id}`;
  return published ? sql`id = ${id} AND published_at IS NOT NULL` : sql`id = ${id} AND published_at IS NULL`;
}

/** The columns of the values that `input` gives, and of the times. */
function changedColumns(write: Write, input: EntryInput): Columns {
  const { tx, type } = write;
  const columns = scalarColumns(tx.dialect, type, input);
  columns.set('updated_at', timeColumn(write, new Date().toISOString()));
  if (type.draftAndPublish && input['publishedAt'] !== undefined) {
    columns.set('published_at', timeColumn(write, input['publishedAt'] as string | null));
  }
  return columns;
}

/**
 * Plans the UPDATE of an entry, of what `input` gives and `updatedAt`, and what follows it. `returning` is what the row is to answer,
 * where the engine can. Throws ValidationError; the plan throws StaleEntryError where the entry is gone by then, or was published or
 * unpublished meanwhile.
 */
export async function planUpdate(
  write: Write,
  stored: StoredEntry,
  input: EntryInput,
  returning?: Sql,
): Promise<PlannedEntry> {
  const { tx, type } = write;
  const { id } = stored;
  const planned = await planEntry(write, id, input);
  const columns = await withPlannedColumns(changedColumns(write, input), write, planned);
  // Of a row that is locked it is known that it is there.
  const isCertain = planned.relations.ownerLocked && !type.draftAndPublish;
  const row = updateWhere(tx.dialect, type.table, {
    condition: unchangedState(type, stored),
    columns,
    returning,
    ...(!isCertain && { orElse: () => new StaleEntryError() }),
  });
  const about = { action: 'update', type: type.uid, id } as const;
  return { about, id, row, steps: [row, ...stepsAfterRow(write, planned, id, input)] };
}
