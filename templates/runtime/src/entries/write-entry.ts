/** What creating and changing an entry have in common: the plan of its relations and components, and its answer. */
import { kindsOf, valueOf } from '../contract/item-attributes.ts';
import { componentTargets } from '../content/components/component-targets.ts';
import {
  applyComponents,
  componentColumns,
  planComponents,
  type ComponentPlan,
} from '../content/components/write-components.ts';
import type { ContentType, ContentTypes } from '../contract/content-type.ts';
import type { Executor, Row } from '../database/database.ts';
import { last } from '../database/send.ts';
import { sql, type Sql } from '../database/sql.ts';
import { ValidationError } from '../contract/errors.ts';
import { inAllLocales, shareOtherSides } from '../content/localization/other-sides.ts';
import type { Caller } from '../contract/policy/caller.ts';
import type { EntryStatement } from '../query/compile/compile-read.ts';
import { isRelationChange, type RelationChange } from '../content/relations/relation-change.ts';
import { applyRelations, planRelations, type RelationPlan } from '../content/relations/write-relations.ts';
import { wrongFileTypes } from '../content/relations/wrong-file-types.ts';
import type { Columns } from '../write/columns.ts';
import type { EntryInput } from './context.ts';

/** The transaction, the type, and who asks. */
export interface Write {
  readonly tx: Executor;
  readonly types: ContentTypes;
  readonly type: ContentType;
  readonly caller: Caller;
  /** Ids of files that the request itself has brought. */
  readonly ownFiles?: ReadonlySet<number> | undefined;
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

/** What is written beside the scalar columns of the entry's row. */
export interface EntryPlan {
  readonly relations: RelationPlan;
  readonly components: ComponentPlan;
}

/** Plans all relations and components of the entry; throws ValidationError with all that can't be. */
export async function planEntry(write: Write, owner: number | undefined, input: EntryInput): Promise<EntryPlan> {
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
export async function withPlannedColumns(columns: Columns, { tx }: Write, planned: EntryPlan): Promise<Columns> {
  const components = await componentColumns({ tx, plan: planned.components });
  for (const [name, value] of Object.entries({ ...planned.relations.columns, ...components })) columns.set(name, value);
  return columns;
}

/** Writes what was planned, once the entry's row is there. */
export async function applyPlan({ tx, types }: Write, planned: EntryPlan, owner: number): Promise<void> {
  await applyRelations({ tx, plan: planned.relations, owner });
  await shareOtherSides(tx, types, planned.relations);
  await applyComponents({ tx, plan: planned.components, owner });
}

/** A time of an entry's row. */
export function timeColumn({ tx }: { readonly tx: Pick<Executor, 'dialect'> }, time: string | null): Sql {
  return sql`${time === null ? null : tx.dialect.bind('datetime', time)}`;
}

/** The text of an entry, by the row that its write, or a statement after it, has answered. */
export function textOf({ answer }: AnsweredWrite, row: Row | undefined): string {
  if (!row) throw new Error('An entry was written, and is not there');
  return answer.textOf(row);
}

/** The text of an entry that was written, read together with the end of the transaction. */
export async function textLast(write: AnsweredWrite, id: number | Sql): Promise<string> {
  const { tx, answer } = write;
  if (answer.complete) {
    const row = await tx.get(answer.statement(id));
    if (!row) throw new Error('An entry was written, and is not there');
    return answer.complete(tx, row);
  }
  return textOf(write, await last(write.tx, write.answer.statement(id)));
}
