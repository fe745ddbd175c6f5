/** Creates, changes and deletes one entry, with its relations and components, inside a transaction of the caller's. */
import { randomUUID } from 'node:crypto';
import { isScalarAttribute, kindsOf, valueOf } from '../components/item-attributes.ts';
import { componentTargets } from '../components/component-targets.ts';
import {
  applyComponents,
  componentColumns,
  planComponents,
  type ComponentPlan,
} from '../components/write-components.ts';
import type { ContentType, ContentTypes } from '../content-type.ts';
import type { Executor, Row } from '../database/database.ts';
import type { Dialect } from '../database/dialect.ts';
import { endOf, last, send, sendForRows } from '../database/send.ts';
import { sql, type Sql } from '../database/sql.ts';
import { ValidationError } from '../errors.ts';
import { inAllLocales, shareOtherSides } from '../localization/other-sides.ts';
import { shareAttributes } from '../localization/share-attributes.ts';
import type { Caller } from '../policy/caller.ts';
import type { EntryStatement } from '../query/compile/compile-read.ts';
import { isRelationChange, type RelationChange } from '../relations/relation-change.ts';
import { wrongFileTypes } from '../upload/wrong-file-types.ts';
import { applyNewLists, applyRelations, planRelations, type RelationPlan } from '../relations/write-relations.ts';
import { insertOf, insertRow, scalarColumns, updateOf, updateRow, type Columns } from './columns.ts';
import type { EntryInput, StoredEntry } from './context.ts';
import { withUidValues } from './uid-value.ts';

/** The transaction, the type, and who asks. */
export interface Write {
  readonly tx: Executor;
  readonly types: ContentTypes;
  readonly type: ContentType;
  readonly caller: Caller;
}

/** A write that is all of its transaction, which ends with its answer. */
export interface AnsweredWrite extends Write {
  readonly answer: EntryStatement;
}

function relationChanges(type: ContentType, input: EntryInput): ReadonlyMap<string, RelationChange> {
  const changes = new Map<string, RelationChange>();
  for (const [name] of kindsOf(type.attributes).links) {
    const value = valueOf(input, name);
    if (isRelationChange(value)) changes.set(name, value);
  }
  return changes;
}

interface EntryPlan {
  readonly relations: RelationPlan;
  readonly components: ComponentPlan;
}

/** Plans all relations and components of the entry; throws ValidationError with all that can't be. */
async function plan(write: Write, owner: number | undefined, input: EntryInput): Promise<EntryPlan> {
  const { tx, types, type } = write;
  const changes = await inAllLocales(tx, types, type, relationChanges(type, input));
  const relations = await planRelations({ ...write, owner, changes, further: componentTargets(types, type, input) });
  const components = await planComponents({ ...write, owner, input });
  const byAttribute = [...changes].map(([name, change]) => ({ attribute: type.attributes[name], change }));
  const files = await wrongFileTypes(tx, types, byAttribute);
  const issues = [...relations.issues, ...files, ...components.issues];
  if (issues.length > 0) throw new ValidationError(issues);
  return { relations: relations.plan, components: components.plan };
}

/** Adds the columns of relations and components. Writes: new components get their ids. */
async function withPlannedColumns(columns: Columns, { tx }: Write, planned: EntryPlan): Promise<Columns> {
  const components = await componentColumns({ tx, plan: planned.components });
  for (const [name, value] of Object.entries({ ...planned.relations.columns, ...components })) columns.set(name, value);
  return columns;
}

async function apply({ tx, types }: Write, planned: EntryPlan, owner: number): Promise<void> {
  await applyRelations({ tx, plan: planned.relations, owner });
  await shareOtherSides(tx, types, planned.relations);
  await applyComponents({ tx, plan: planned.components, owner });
}

function timeColumn({ tx }: { readonly tx: Pick<Executor, 'dialect'> }, time: string | null): Sql {
  return sql`${time === null ? null : tx.dialect.bind('datetime', time)}`;
}

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
  const planned = await plan(write, undefined, input);
  const columns = new Map([...systemColumns(write, input), ...scalarColumns(tx.dialect, type, input)]);
  return { input, planned, columns: await withPlannedColumns(columns, write, planned) };
}

async function writeRest(write: Write, { planned, input }: NewEntry, id: number): Promise<void> {
  await apply(write, planned, id);
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

function textOf({ answer }: AnsweredWrite, row: Row | undefined): string {
  if (!row) throw new Error('An entry was written, and is not there');
  return answer.textOf(row);
}

/** The text of an entry that was written, read together with the end of the transaction. */
async function textLast(write: AnsweredWrite, id: number | Sql): Promise<string> {
  return textOf(write, await last(write.tx, write.answer.statement(id)));
}

/** Whether nothing is written but the row and its lists: for those, its id need not be known. */
function hasOnlyLists({ localized }: ContentType, { relations, components }: EntryPlan): boolean {
  return relations.takeovers.length + relations.inverseOnes.length + components.values.size === 0 && !localized;
}

/** Sends the row of a new entry, its lists and the end of the transaction at once. */
async function createSent(
  write: AnsweredWrite,
  { planned: { relations }, columns }: NewEntry,
  sentId: NonNullable<Dialect['sentId']>,
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
export async function createEntryLast(write: AnsweredWrite, given: EntryInput): Promise<string> {
  const { tx, type, answer } = write;
  const entry = await planNew(write, given, given);
  const { sentId } = tx.dialect;
  if (sentId && hasOnlyLists(type, entry.planned)) return createSent(write, entry, sentId);
  const { id, row } = await tx.dialect.insertRow(tx, insertOf(tx.dialect, type.table, entry.columns), answer.returning);
  await writeRest(write, entry, id);
  return row ? textOf(write, row) : textLast(write, id);
}

/** The row, if it is still a draft, or still published: by that its new values were checked. */
function unchangedState(type: ContentType, { id, published }: StoredEntry): Sql {
  if (!type.draftAndPublish) return sql`id = ${id}`;
  return published ? sql`id = ${id} AND published_at IS NOT NULL` : sql`id = ${id} AND published_at IS NULL`;
}

/** Whether an update is of the values in the entry's own row and of nothing that belongs to others: one statement. */
export function isOfRow({ attributes, draftAndPublish, localized }: ContentType, input: EntryInput): boolean {
  if (draftAndPublish || localized) return false;
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
  await apply(write, planned, stored.id);
  await shareAttributes(write, stored.id, input);
  return changed;
}

/** Changes what `input` gives, and `updatedAt`; false if the entry is gone, or was published or unpublished meanwhile. */
export async function updateEntry(write: Write, stored: StoredEntry, input: EntryInput): Promise<boolean> {
  const planned = await plan(write, stored.id, input);
  return (await change(write, stored, { input, planned })) !== undefined;
}

/** Writes the row of an entry after all else, and ends the transaction, if there is one; undefined if there is no such row. */
async function writeRowLast(write: AnsweredWrite, id: number, input: EntryInput): Promise<string | undefined> {
  const { tx, type, answer } = write;
  const update = updateOf(tx.dialect, type.table, sql`id = ${id}`, changedColumns(write, input));
  const row = await answerTo(tx, update, answer, id);
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
  const { tx, type, answer } = write;
  if (isOfRow(type, input)) return writeRowLast(write, stored.id, input);
  const planned = await plan(write, stored.id, input);
  if (goesLast(type, planned)) {
    await apply(write, planned, stored.id);
    return writeRowLast(write, stored.id, input);
  }
  const returning = tx.dialect.updateReturns ? answer.returning : undefined;
  const changed = await change(write, stored, { input, planned }, returning);
  if (!changed) return undefined;
  return changed.row ? textOf(write, changed.row) : textLast(write, stored.id);
}

/** Deletes the entry; the database takes it out of every list. */
export async function deleteEntry({ tx, type }: Pick<Write, 'tx' | 'type'>, id: number): Promise<void> {
  await tx.run(sql`DELETE FROM ${tx.dialect.id(type.table)} WHERE id = ${id}`);
}
