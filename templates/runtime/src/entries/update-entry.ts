/** Changes an entry, with its relations and components, inside a transaction of the caller's. */
import { isScalarAttribute } from '../contract/item-attributes.ts';
import type { ContentType } from '../contract/content-type.ts';
import type { Executor, Row } from '../database/database.ts';
import { last, send } from '../database/send.ts';
import { sql, type Sql } from '../database/sql.ts';
import { shareAttributes } from '../content/localization/share-attributes.ts';
import type { EntryStatement } from '../query/compile/compile-read.ts';
import { scalarColumns, updateOf, updateRow, type Columns } from '../write/columns.ts';
import type { EntryInput, StoredEntry } from './context.ts';
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

/** The row, if it is still a draft, or still published: by that its new values were checked. */
function unchangedState(type: ContentType, { id, published }: StoredEntry): Sql {
  if (!type.draftAndPublish) return sql`id = ${id}`;
  return published ? sql`id = ${id} AND published_at IS NOT NULL` : sql`id = ${id} AND published_at IS NULL`;
}

/** Whether an UPDATE answers all that is to be answered, and with that, whether it found its row. */
function answersItself({ tx, answer }: AnsweredWrite): boolean {
  return tx.dialect.updateReturns && answer.returning !== undefined;
}

/**
 * Whether an update is of the values in the entry's own row and of nothing that belongs to others: one statement, which of a
 * type with drafts has to tell whether the entry still was what its new values were checked for.
 */
export function isOfRow(write: AnsweredWrite, input: EntryInput): boolean {
  const { attributes, draftAndPublish, localized } = write.type;
  if (write.answer.complete || localized || (draftAndPublish && !answersItself(write))) return false;
  return Object.keys(input).every((name) => {
    const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
    return attribute !== undefined && isScalarAttribute(attribute);
  });
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

/** Whether the row of an entry can be written after all else: it is there, in whatever state, and nothing else depends on it. */
function goesLast({ draftAndPublish, localized }: ContentType, { relations, components }: EntryPlan): boolean {
  return relations.onlyLists && components.values.size === 0 && !draftAndPublish && !localized;
}

/** A change that was planned. */
interface PlannedChange {
  readonly input: EntryInput;
  readonly planned: EntryPlan;
}

/** Changes the row, and then the rest; undefined if the row is gone, or was published or unpublished meanwhile. */
async function change(
  write: Write,
  stored: StoredEntry,
  { input, planned }: PlannedChange,
  returning?: Sql,
): Promise<{ readonly row: Row | undefined } | undefined> {
  const { tx, type } = write;
  const columns = await withPlannedColumns(changedColumns(write, input), write, planned);
  const changed = await updateRow(tx, type.table, { condition: unchangedState(type, stored), columns, returning });
  if (!changed) return undefined;
  await applyPlan(write, planned, stored.id);
  await shareAttributes(write, stored.id, input);
  return changed;
}

/** Changes what `input` gives, and `updatedAt`; false if the entry is gone, or was published or unpublished meanwhile. */
export async function updateEntry(write: Write, stored: StoredEntry, input: EntryInput): Promise<boolean> {
  const planned = await planEntry(write, stored.id, input);
  return (await change(write, stored, { input, planned })) !== undefined;
}

/** Writes the row of an entry after all else, and ends the transaction, if there is one; undefined if there is no such row. */
async function writeRowLast(write: AnsweredWrite, stored: StoredEntry, input: EntryInput): Promise<string | undefined> {
  const { tx, type, answer } = write;
  const update = updateOf(tx.dialect, type.table, unchangedState(type, stored), changedColumns(write, input));
  const row = await answerTo(tx, update, answer, stored.id);
  return row && answer.textOf(row);
}

/** Runs an UPDATE of an entry; answers the row that `answer` is made of. */
async function answerTo(tx: Executor, update: Sql, answer: EntryStatement, id: number): Promise<Row | undefined> {
  if (answer.returning && tx.dialect.updateReturns) return last(tx, sql`${update} RETURNING ${answer.returning}`);
  const statement = answer.statement(id);
  if (tx.together) return (await tx.together([update, statement]))[1]?.[0];
  await send(tx, update);
  return last(tx, statement);
}

/**
 * Changes an entry, as `updateEntry`, and ends the transaction; answers its text, or undefined. Where the change `isOfRow`, it
 * needs no transaction.
 */
export async function updateEntryLast(
  write: AnsweredWrite,
  stored: StoredEntry,
  input: EntryInput,
): Promise<string | undefined> {
  const { type, answer } = write;
  if (isOfRow(write, input)) return writeRowLast(write, stored, input);
  const planned = await planEntry(write, stored.id, input);
  if (!answer.complete && goesLast(type, planned)) {
    await applyPlan(write, planned, stored.id);
    return writeRowLast(write, stored, input);
  }
  const returning = answersItself(write) ? answer.returning : undefined;
  const changed = await change(write, stored, { input, planned }, returning);
  if (!changed) return undefined;
  return changed.row ? textOf(write, changed.row) : textLast(write, stored.id);
}
