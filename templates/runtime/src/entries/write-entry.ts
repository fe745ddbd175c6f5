/** Creates, changes and deletes one entry, with its relations and components, inside a transaction of the caller's. */
import { randomUUID } from 'node:crypto';
import { componentTargets } from '../components/component-targets.ts';
import {
  applyComponents,
  componentColumns,
  planComponents,
  type ComponentPlan,
} from '../components/write-components.ts';
import type { ContentType, ContentTypes } from '../content-type.ts';
import type { Executor } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { ValidationError } from '../errors.ts';
import type { Caller } from '../policy/caller.ts';
import { isRelationChange, type RelationChange } from '../relations/relation-change.ts';
import { applyRelations, planRelations, type RelationPlan } from '../relations/write-relations.ts';
import { insertRow, scalarColumns, updateRow, type Columns } from './columns.ts';
import type { EntryInput } from './context.ts';
import { withUidValues } from './uid-value.ts';

interface Write {
  readonly tx: Executor;
  readonly types: ContentTypes;
  readonly type: ContentType;
  readonly caller: Caller;
}

function relationChanges(type: ContentType, input: EntryInput): ReadonlyMap<string, RelationChange> {
  const changes = new Map<string, RelationChange>();
  for (const [name, attribute] of Object.entries(type.attributes)) {
    const value = input[name];
    if ((attribute.type === 'relation' || attribute.type === 'media') && isRelationChange(value))
      changes.set(name, value);
  }
  return changes;
}

interface EntryPlan {
  readonly relations: RelationPlan;
  readonly components: ComponentPlan;
}

/** Plans all relations and components of the entry; throws ValidationError with all that can't be. */
async function plan(write: Write, owner: number | undefined, input: EntryInput): Promise<EntryPlan> {
  const { types, type } = write;
  const changes = relationChanges(type, input);
  const relations = await planRelations({ ...write, owner, changes, further: componentTargets(types, type, input) });
  const components = await planComponents({ ...write, owner, input });
  const issues = [...relations.issues, ...components.issues];
  if (issues.length > 0) throw new ValidationError(issues);
  return { relations: relations.plan, components: components.plan };
}

/** Adds the columns of relations and components. Writes: new components get their ids. */
async function withPlannedColumns(columns: Columns, { tx }: Write, planned: EntryPlan): Promise<Columns> {
  const components = await componentColumns({ tx, plan: planned.components });
  for (const [name, value] of Object.entries({ ...planned.relations.columns, ...components })) columns.set(name, value);
  return columns;
}

async function apply({ tx }: Write, planned: EntryPlan, owner: number): Promise<void> {
  await applyRelations({ tx, plan: planned.relations, owner });
  await applyComponents({ tx, plan: planned.components, owner });
}

function timeColumn(write: Write, time: string | null) {
  return sql`${time === null ? null : write.tx.dialect.bind('datetime', time)}`;
}

/** The columns that every row has, and those of drafts, locales and single types. */
function systemColumns(write: Write, input: EntryInput): Columns {
  const { type, types } = write;
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
    columns.set('locale', sql`${(input['locale'] as string | undefined) ?? types.locales[0] ?? 'en'}`);
    columns.set('document_id', sql`${randomUUID()}`);
  }
  return columns;
}

/** Inserts an entry with its relations and components; answers its id. */
export async function insertEntry(write: Write, given: EntryInput): Promise<number> {
  const { tx, type } = write;
  const input = await withUidValues(tx, type, given);
  const planned = await plan(write, undefined, input);
  const columns = new Map([...systemColumns(write, input), ...scalarColumns(tx.dialect, type, input)]);
  const id = await insertRow(tx, type.table, await withPlannedColumns(columns, write, planned));
  await apply(write, planned, id);
  return id;
}

/** Changes what `input` gives, and `updatedAt`; false if the entry does not exist. */
export async function updateEntry(write: Write, id: number, input: EntryInput): Promise<boolean> {
  const { tx, type } = write;
  const planned = await plan(write, id, input);
  const columns = scalarColumns(tx.dialect, type, input);
  columns.set('updated_at', timeColumn(write, new Date().toISOString()));
  if (type.draftAndPublish && input['publishedAt'] !== undefined) {
    columns.set('published_at', timeColumn(write, input['publishedAt'] as string | null));
  }
  if (!(await updateRow(tx, type.table, id, await withPlannedColumns(columns, write, planned)))) return false;
  await apply(write, planned, id);
  return true;
}

/** Deletes the entry; the database takes it out of every list. */
export async function deleteEntry({ tx, type }: Pick<Write, 'tx' | 'type'>, id: number): Promise<void> {
  await tx.run(sql`DELETE FROM ${tx.dialect.id(type.table)} WHERE id = ${id}`);
}
