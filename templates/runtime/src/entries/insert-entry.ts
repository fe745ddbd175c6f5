/** Plans the insertion of an entry, with its relations and components. */
import { COLUMN_NAMES as NAMES } from '../contract/column-names.ts';
import { NewId } from '../database/new-id.ts';
import type { Sql } from '../database/sql.ts';
import { type Columns, insertInto, scalarColumns } from '../write/columns.ts';
import { setCreators } from '../write/creator-columns.ts';
import { setDocumentId } from '../write/document-id.ts';
import { randomFirstVersion, VERSION_COLUMN } from '../write/version.ts';
import type { EntryInput } from './context.ts';
import { withUidValues } from './uid-value.ts';
import {
  planEntry,
  type PlannedEntry,
  stepsAfterRow,
  timeColumn,
  withPlannedColumns,
  type Write,
} from './write-entry.ts';

/** The columns of every row, and those for drafts, locales and single types. */
function systemColumns(write: Write, input: EntryInput): Columns {
  const { type } = write;
  const now = new Date().toISOString();
  const columns: Columns = new Map([
    [NAMES.createdAt, timeColumn(write, now)],
    [NAMES.updatedAt, timeColumn(write, now)],
  ]);
  if (type.draftAndPublish) {
    const publishedAt = input['publishedAt'] === undefined ? now : (input['publishedAt'] as string | null);
    columns.set(NAMES.publishedAt, timeColumn(write, publishedAt));
  }
  if (type.localized) columns.set(NAMES.locale, input['locale'] as string);
  // Single types, and locales of a document, have the same URL when they are deleted and created again, so versions must not
  // repeat.
  const isAtPlace = type.kind === 'singleType' || input['documentId'] !== undefined;
  if (isAtPlace) columns.set(VERSION_COLUMN, randomFirstVersion());
  setCreators(columns, type, write.caller, ['createdBy', 'updatedBy']);
  return setDocumentId(columns, type, input['documentId'] as string | undefined);
}

/** The values of a new entry's row, except those of relations and components. */
export function rowColumns(write: Write, input: EntryInput): Columns {
  const columns = systemColumns(write, input);
  for (const [name, value] of scalarColumns(write.tx.dialect, write.type, input)) columns.set(name, value);
  return columns;
}

/**
 * Plans the INSERT of an entry and the steps after it. `known` are the values from which missing ones are generated: `given` and,
 * for a further locale of an entry, those it takes from the others. `returning` are the columns to return from the INSERT, if the
 * engine can. Throws ValidationError.
 */
export async function planInsert(
  write: Write,
  given: EntryInput,
  { known = given, returning }: { readonly known?: EntryInput; readonly returning?: Sql | undefined } = {},
): Promise<PlannedEntry & { readonly id: NewId }> {
  const { tx, type } = write;
  const input = await withUidValues(tx, type, given, known);
  const planned = await planEntry(write, undefined, input);
  const columns = await withPlannedColumns(rowColumns(write, input), write, planned);
  const id = new NewId(type.table);
  const inserted = insertInto(tx.dialect, type.table, columns, { generatedId: id, returning });
  const row = { touches: { table: type.table, ids: [id] }, ...inserted };
  const subject = { action: 'create', type: type.uid, id } as const;
  return { subject, id, row, steps: [row, ...stepsAfterRow(write, planned, id, input)] };
}
