/** Shared by creating and updating an entry: the plan of its relations and components, and the answer. */
import { kindsOf, valueOf } from '../contract/item-attributes.ts';
import { componentTargets } from '../content/components/component-targets.ts';
import {
  componentColumns,
  type ComponentPlan,
  componentStatements,
  noComponents,
  planComponents,
} from '../content/components/write-components.ts';
import type { ContentType, ContentTypes } from '../contract/content-type.ts';
import type { Row } from '../database/statement-runner.ts';
import type { Statement, Step, Subject, Transaction, WritePlan } from '../database/write-plan.ts';
import type { NewId } from '../database/new-id.ts';
import type { SqlParam } from '../database/sql.ts';
import { ValidationError } from '../contract/errors.ts';
import { extendToAllLocales, shareOtherSides } from '../content/localization/other-sides.ts';
import { checkSharedCombinations } from '../content/localization/shared-combinations.ts';
import { shareAttributes } from '../content/localization/share-attributes.ts';
import type { Caller } from '../contract/policy/caller.ts';
import type { EntryStatement } from '../query/compile/compile-read.ts';
import type { Trust } from '../content/relations/check-targets.ts';
import { isRelationChange, type RelationChange } from '../content/relations/relation-change.ts';
import { NO_RELATIONS, planRelations, type RelationPlan, relationSteps } from '../content/relations/write-relations.ts';
import { wrongFileTypes } from '../content/relations/wrong-file-types.ts';
import type { ReadEntry } from '../query/version-tag.ts';
import type { Columns } from '../write/columns.ts';
import type { EntryInput } from './context.ts';

/** The transaction, the type and the caller of a write. */
export interface Write {
  readonly tx: Transaction;
  readonly types: ContentTypes;
  readonly type: ContentType;
  readonly caller: Caller;
  /** Ids of files uploaded with the request. */
  readonly ownFiles?: ReadonlySet<number> | undefined;
  readonly trusts?: Trust | undefined;
  /** Whether the entry will be a draft, which may lack required values; undefined: they are not checked. */
  readonly draft?: boolean;
}

/** The plan of writing an entry. */
export interface PlannedEntry {
  readonly subject: Subject;
  readonly id: number | NewId;
  /** The statement for the entry's own row, which is one of the `steps`. */
  readonly row: Statement;
  readonly steps: readonly Step[];
}

function relationChanges(type: ContentType, input: EntryInput): ReadonlyMap<string, RelationChange> {
  const changes = new Map<string, RelationChange>();
  for (const [name] of kindsOf(type.attributes).links) {
    const value = valueOf(input, name);
    if (isRelationChange(value)) changes.set(name, value);
  }
  return changes;
}

function hasComponents(type: ContentType, input: EntryInput): boolean {
  return kindsOf(type.attributes).items.some(([name]) => valueOf(input, name) !== undefined);
}

/** What is written besides the scalar columns of the entry's row. */
export interface EntryPlan {
  readonly relations: RelationPlan;
  readonly components: ComponentPlan;
}

/** Plans all relations and components of the entry; throws ValidationError with all that are invalid. */
export async function planEntry(write: Write, owner: number | undefined, input: EntryInput): Promise<EntryPlan> {
  const { tx, types, type } = write;
  const given = relationChanges(type, input);
  if (given.size === 0 && !hasComponents(type, input)) {
    return { relations: NO_RELATIONS, components: noComponents(type) };
  }
  const changes = await extendToAllLocales(tx, types, type, given);
  const relations = await planRelations({ owner, changes, further: componentTargets(types, type, input), ...write });
  const components = await planComponents({ owner, input, ...write });
  const byAttribute = [...changes].map(([name, change]) => ({ attribute: type.attributes[name], change }));
  const files = await wrongFileTypes(tx, types, byAttribute);
  const issues = [...relations.issues, ...files, ...components.issues];
  if (issues.length > 0) throw new ValidationError(issues);
  return { relations: relations.plan, components: components.plan };
}

/** Adds the columns of relations and components, and assigns ids to new component items. */
export async function withPlannedColumns(columns: Columns, { tx }: Write, planned: EntryPlan): Promise<Columns> {
  for (const [name, value] of Object.entries(planned.relations.columns)) columns.set(name, value);
  if (planned.components.values.size === 0) return columns;
  for (const [name, value] of Object.entries(await componentColumns(tx, planned.components))) columns.set(name, value);
  return columns;
}

/** The steps after the statement for the entry's row. */
export function stepsAfterRow(
  { tx, types, type }: Write,
  { relations, components }: EntryPlan,
  owner: number | NewId,
  input: EntryInput,
): readonly Step[] {
  return [
    ...relationSteps(tx.dialect, relations, owner),
    ...shareOtherSides(types, relations),
    ...componentStatements(tx.dialect, components, owner),
    ...shareAttributes({ types, type }, owner, input),
    ...checkSharedCombinations(type, owner, input),
  ];
}

/** A timestamp as a column value. */
export function timeColumn({ tx }: Pick<Write, 'tx'>, time: string | null): SqlParam {
  return time === null ? null : tx.dialect.bind('datetime', time);
}

function entryOf(answer: EntryStatement, row: Row | undefined): ReadEntry {
  if (!row) throw new Error("An entry was written but can't be found");
  return answer.entryOf(row);
}

/** A write plan that returns the entry: from the RETURNING of its row, or from a read after it. */
export function answeredPlan({ subject, id, row, steps }: PlannedEntry, answer: EntryStatement): WritePlan<ReadEntry> {
  const { complete } = answer;
  if (complete) {
    let entry: ReadEntry | undefined;
    const readAll = async (tx: Transaction): Promise<readonly Step[]> => {
      const found = await tx.get(answer.statement(id));
      if (!found) throw new Error("An entry was written but can't be found");
      entry = await complete(tx, found);
      return [];
    };
    return { subjects: [subject], steps: [...steps, readAll], answer: () => entry ?? entryOf(answer, undefined) };
  }
  if (row.returns === 'rows') {
    return { subjects: [subject], steps, answer: (outcome) => entryOf(answer, outcome.of(row).rows[0]) };
  }
  return { subjects: [subject], steps, read: answer.statement(id), answer: ({ rows }) => entryOf(answer, rows[0]) };
}
