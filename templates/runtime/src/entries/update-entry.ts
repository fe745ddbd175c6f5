/** Plans the change of an entry, with its relations and components. */
import { sql, type Sql } from '../database/sql.ts';
import { type Columns, scalarColumns, updateWhere } from '../write/columns.ts';
import { countWrite } from '../write/version.ts';
import { expectedRow, expectsVersion } from './expected-version.ts';
import type { EntryInput, StoredEntry } from './context.ts';
import type { Expected } from '../query/entry-request.ts';
import { StaleEntryError } from './stale-entry.ts';
import {
  planEntry,
  type PlannedEntry,
  stepsAfterRow,
  timeColumn,
  withPlannedColumns,
  type Write,
} from './write-entry.ts';

/** The row, if it is in an expected version, and still a draft, or still published: by that its new values were checked. */
function unchangedState({ tx, type }: Write, { id, published }: StoredEntry, expected: Expected | undefined): Sql {
  const row = sql`id = ${id}${expectedRow(tx.dialect, expected)}`;
  if (!type.draftAndPublish) return row;
  return published ? sql`${row} AND published_at IS NOT NULL` : sql`${row} AND published_at IS NULL`;
}

/** The columns of the values that `input` gives, of the times and of the version. */
function changedColumns(write: Write, input: EntryInput): Columns {
  const { tx, type } = write;
  const columns = scalarColumns(tx.dialect, type, input);
  columns.set('updated_at', timeColumn(write, new Date().toISOString()));
  if (type.draftAndPublish && input['publishedAt'] !== undefined) {
    columns.set('published_at', timeColumn(write, input['publishedAt'] as string | null));
  }
  return countWrite(tx.dialect, columns);
}

/**
 * Plans the UPDATE of an entry, of what `input` gives and `updatedAt`, and what follows it. `returning` is what the row is to answer,
 * where the engine can. Throws ValidationError; the plan throws StaleEntryError where the entry is gone by then, was published or
 * unpublished meanwhile, or is in no `expected` version.
 */
export async function planUpdate(
  write: Write,
  stored: StoredEntry,
  input: EntryInput,
  { returning, expected }: { readonly returning?: Sql | undefined; readonly expected?: Expected | undefined } = {},
): Promise<PlannedEntry> {
  const { tx, type } = write;
  const { id } = stored;
  const planned = await planEntry(write, id, input);
  const columns = await withPlannedColumns(changedColumns(write, input), write, planned);
  // Of a row that is locked it is known that it is there.
  const isCertain = planned.relations.ownerLocked && !type.draftAndPublish && !expectsVersion(expected);
  const row = updateWhere(tx.dialect, type.table, {
    condition: unchangedState(write, stored, expected),
    columns,
    returning,
    ...(!isCertain && { orElse: () => new StaleEntryError() }),
  });
  const about = { action: 'update', type: type.uid, id } as const;
  return { about, id, row, steps: [row, ...stepsAfterRow(write, planned, id, input)] };
}
