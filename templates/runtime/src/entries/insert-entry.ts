/** Creates an entry, with its relations and components, inside a transaction of the caller's. */
import { randomUUID } from 'node:crypto';
import type { ContentType } from '../contract/content-type.ts';
import type { Batches } from '../database/dialect.ts';
import { endOf, send, sendForRows } from '../database/send.ts';
import { sql } from '../database/sql.ts';
import { shareAttributes } from '../content/localization/share-attributes.ts';
import { applyNewLists } from '../content/relations/write-relations.ts';
import { insertOf, insertRow, scalarColumns, type Columns } from '../write/columns.ts';
import type { EntryInput } from './context.ts';
import { withUidValues } from './uid-value.ts';
import {
  applyPlan,
  planEntry,
  textLast,
  textOf,
  timeColumn,
  withPlannedColumns,
  type AnsweredWrite,
  type EntryPlan,
  type Write,
} from './write-entry.ts';

/** The columns that every row has, and those of drafts, locales and single types. */
function systemColumns(write: Write, input: EntryInput): Columns {
  const { type } = write;
  const now = new Date().toISOString();
  const columns: Columns = new Map([
    ['created_at', timeColumn(write, now)],
    ['updated_at', timeColumn(write, now)],
  ]);
  if (type.draftAndPublish) {
    const publishedAt = input['publishedAt'] === undefined ? now : (input['publishedAt'] as string | null);
    columns.set('published_at', timeColumn(write, publishedAt));
  }
  if (type.localized) {
    columns.set('locale', sql`${input['locale'] as string}`);
    columns.set('document_id', sql`${(input['documentId'] as string | undefined) ?? randomUUID()}`);
  }
  return columns;
}

/** A row that is to be inserted, with what follows it. */
interface NewEntry {
  readonly input: EntryInput;
  readonly planned: EntryPlan;
  readonly columns: Columns;
}

async function planNew(write: Write, given: EntryInput, known: EntryInput): Promise<NewEntry> {
  const { tx, type } = write;
  const input = await withUidValues(tx, type, given, known);
  const planned = await planEntry(write, undefined, input);
  const columns = new Map([...systemColumns(write, input), ...scalarColumns(tx.dialect, type, input)]);
  return { input, planned, columns: await withPlannedColumns(columns, write, planned) };
}

async function writeRest(write: Write, { planned, input }: NewEntry, id: number): Promise<void> {
  await applyPlan(write, planned, id);
  await shareAttributes(write, id, input);
}

/**
 * Inserts an entry with its relations and components; answers its id. `known` are the values from which missing ones are made:
 * `given`, and what a further locale of an entry gets from the others.
 */
export async function insertEntry(write: Write, given: EntryInput, known: EntryInput): Promise<number> {
  const entry = await planNew(write, given, known);
  const id = await insertRow(write.tx, write.type.table, entry.columns);
  await writeRest(write, entry, id);
  return id;
}

/** Whether nothing is written but the row and its lists: for those, its id need not be known. */
function hasOnlyLists({ localized }: ContentType, { relations, components }: EntryPlan): boolean {
  return relations.takeovers.length + relations.inverseOnes.length + components.values.size === 0 && !localized;
}

/** Sends the row of a new entry, its lists and the end of the transaction at once. */
async function createSent(
  write: AnsweredWrite,
  { planned: { relations }, columns }: NewEntry,
  { sentId }: Batches,
): Promise<string> {
  const { tx, type, answer } = write;
  const insert = insertOf(tx.dialect, type.table, columns);
  if (!answer.returning) {
    await send(tx, insert);
    const id = await sentId(tx, type.table);
    await applyNewLists(tx, relations, id);
    return textLast(write, id);
  }
  const row = await sendForRows(tx, sql`${insert} RETURNING ${answer.returning}`);
  if (relations.lists.length > 0) await applyNewLists(tx, relations, await sentId(tx, type.table));
  await endOf(tx);
  return textOf(write, (await row.rows())[0]);
}

/** Inserts an entry, as `insertEntry`; answers its text. */
export async function insertEntryLast(write: AnsweredWrite, given: EntryInput): Promise<string> {
  const { tx, type, answer } = write;
  const entry = await planNew(write, given, given);
  const { batches } = tx.dialect;
  if (batches && !answer.complete && hasOnlyLists(type, entry.planned)) return createSent(write, entry, batches);
  const { id, row } = await tx.dialect.insertRow(tx, insertOf(tx.dialect, type.table, entry.columns), answer.returning);
  await writeRest(write, entry, id);
  return row ? textOf(write, row) : textLast(write, id);
}
