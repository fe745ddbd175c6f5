/** Shared by creating and updating an entry: the plan of its relations and components, and the answer. */
import { isLinkAttribute, kindsOf, valueOf } from '../contract/item-attributes.ts';
import { componentTargets } from '../content/components/component-targets.ts';
import {
  assignItemIds,
  componentColumns,
  type ComponentPlan,
  componentStatements,
  noComponents,
  planComponents,
} from '../content/components/write-components.ts';
import type { ContentType, ContentTypes, MediaAttribute, RelationAttribute } from '../contract/content-type.ts';
import type { Row } from '../database/statement-runner.ts';
import type { Outcome, Statement, Step, Subject, Transaction, WritePlan } from '../database/write-plan.ts';
import type { NewId } from '../database/new-id.ts';
import type { SqlParam } from '../database/sql.ts';
import { ValidationError } from '../contract/errors.ts';
import { belongsToFirstRow, firstRowOf, namingFirstRows } from '../content/localization/first-rows.ts';
import { repeatInAllLocales } from '../content/localization/repeat-links.ts';
import { checkSharedCombinations } from '../content/localization/shared-combinations.ts';
import { shareAttributes } from '../content/localization/share-attributes.ts';
import type { Caller } from '../contract/policy/caller.ts';
import type { EntryStatement } from '../query/compile/compile-read.ts';
import type { Trust } from '../content/relations/check-targets.ts';
import type { Reach } from '../content/relations/reach.ts';
import { isRelationChange, type RelationChange } from '../content/relations/relation-change.ts';
import { NO_RELATIONS, planRelations, type RelationPlan, relationSteps } from '../content/relations/write-relations.ts';
import { writeBothStates } from '../content/publication/write-both-states.ts';
import { wrongFileTypes } from '../content/relations/wrong-file-types.ts';
import type { ReadEntry } from '../query/version-tag.ts';
import type { Columns } from '../write/columns.ts';
import type { EntryInput } from './context.ts';
import type { ClaimedValues } from './uid-value.ts';

/** The transaction, the type and the caller of a write. */
export interface Write {
  readonly tx: Transaction;
  readonly types: ContentTypes;
  readonly type: ContentType;
  readonly caller: Caller;
  /** Decides about other entries that the write reaches. */
  readonly reach: Reach;
  /** Ids of files uploaded with the request. */
  readonly ownFiles?: ReadonlySet<number> | undefined;
  readonly trusts?: Trust | undefined;
  /** Whether the entry will be a draft, which may lack required values; undefined: they are not checked. */
  readonly draft?: boolean;
  /** The uids of the other entries that the same write inserts. */
  readonly claimed?: ClaimedValues | undefined;
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

type Changes = ReadonlyMap<string, RelationChange>;

const NO_CHANGES: Changes = new Map();

/** Relations of the entry whose links refer to its first row. */
interface FirstRowPlan {
  readonly id: number;
  readonly relations: RelationPlan;
}

/** What is written besides the scalar columns of the entry's row. */
export interface EntryPlan {
  readonly relations: RelationPlan;
  /** Undefined if there are none, or if the entry's row is the first one. */
  readonly ofFirstRow?: FirstRowPlan;
  /** The changed relations. */
  readonly changes: Changes;
  readonly components: ComponentPlan;
}

function linkOf({ attributes }: ContentType, name: string): RelationAttribute | MediaAttribute | undefined {
  const attribute = attributes[name];
  return attribute && isLinkAttribute(attribute) ? attribute : undefined;
}

/** The changes, with those of relations between entries naming the first rows of entries. */
async function namedChanges({ tx, types, type }: Write, given: Changes): Promise<Changes> {
  const between = new Map([...given].filter(([name]) => linkOf(type, name)?.shared));
  return between.size === 0 ? given : new Map([...given, ...(await namingFirstRows(tx, types, between))]);
}

/** The changes that apply to the first row of the entry; undefined if there are none, or if that is the row itself. */
async function changesOfFirstRow(
  { tx, type }: Write,
  owner: number | undefined,
  changes: Changes,
): Promise<{ readonly id: number; readonly changes: Changes } | undefined> {
  const theirs = [...changes].filter(([name]) => {
    const attribute = linkOf(type, name);
    return attribute && belongsToFirstRow(type, attribute);
  });
  if (owner === undefined || theirs.length === 0) return undefined;
  const id = await firstRowOf(tx, type, owner);
  return id === owner ? undefined : { id, changes: new Map(theirs) };
}

/** Plans all relations and components of the entry; throws ValidationError with all that are invalid. */
export async function planEntry(write: Write, owner: number | undefined, input: EntryInput): Promise<EntryPlan> {
  const { tx, types, type } = write;
  const given = relationChanges(type, input);
  if (given.size === 0 && !hasComponents(type, input)) {
    return { relations: NO_RELATIONS, changes: NO_CHANGES, components: noComponents(type) };
  }
  const changes = await namedChanges(write, given);
  const first = await changesOfFirstRow(write, owner, changes);
  const own = first ? new Map([...changes].filter(([name]) => !first.changes.has(name))) : changes;
  const further = componentTargets(types, type, input);
  const relations = await planRelations({ owner, changes: own, further, ...write });
  const ofFirstRow = first && (await planRelations({ owner: first.id, changes: first.changes, ...write }));
  const components = await planComponents({ owner, input, ...write });
  const byAttribute = [...changes].map(([name, change]) => ({ attribute: type.attributes[name], change }));
  const files = await wrongFileTypes(tx, types, byAttribute);
  const issues = [...relations.issues, ...(ofFirstRow?.issues ?? []), ...files, ...components.issues];
  if (issues.length > 0) throw new ValidationError(issues);
  return {
    relations: relations.plan,
    ...(first && ofFirstRow && { ofFirstRow: { id: first.id, relations: ofFirstRow.plan } }),
    changes,
    components: components.plan,
  };
}

/** Adds the columns of relations and components, whose items must have their ids. */
export function addPlannedColumns(columns: Columns, { tx }: Write, { relations, components }: EntryPlan): Columns {
  for (const [name, value] of Object.entries(relations.columns)) columns.set(name, value);
  if (components.values.size === 0) return columns;
  for (const [name, value] of Object.entries(componentColumns(tx.dialect, components))) columns.set(name, value);
  return columns;
}

/** Adds the columns of relations and components, and assigns ids to new component items. */
export async function withPlannedColumns(columns: Columns, write: Write, planned: EntryPlan): Promise<Columns> {
  await assignItemIds(write.tx, [planned.components]);
  return addPlannedColumns(columns, write, planned);
}

/** The steps that repeat changed relations in the rows of all locales of the related entries. */
function repeatSteps({ tx, types, type }: Write, { changes, ofFirstRow }: EntryPlan, owner: number | NewId): Step[] {
  return [...changes.keys()].flatMap((name) => {
    const attribute = linkOf(type, name);
    if (attribute?.type !== 'relation') return [];
    const id = belongsToFirstRow(type, attribute) ? (ofFirstRow?.id ?? owner) : owner;
    return repeatInAllLocales(tx.dialect, attribute, types.types[attribute.target ?? ''], id);
  });
}

/** The steps after the statement for the entry's row. */
export function stepsAfterRow(
  write: Write,
  plan: EntryPlan,
  owner: number | NewId,
  input: EntryInput,
): readonly Step[] {
  const { dialect } = write.tx;
  return [...relationSteps(dialect, plan.relations, owner), ...stepsAfterRelations(write, plan, owner, input)];
}

/** The steps after those for the entry's relations. */
export function stepsAfterRelations(
  write: Write,
  plan: EntryPlan,
  owner: number | NewId,
  input: EntryInput,
): readonly Step[] {
  const { tx, types, type } = write;
  const { relations, ofFirstRow, components } = plan;
  return [
    ...(ofFirstRow ? relationSteps(tx.dialect, ofFirstRow.relations, ofFirstRow.id) : []),
    ...repeatSteps(write, plan, owner),
    ...componentStatements(tx.dialect, components, owner),
    ...shareAttributes({ types, type }, owner, input),
    ...writeBothStates({ types, type }, owner, plan.changes),
    ...checkSharedCombinations(type, owner, input),
    ...relations.consequences,
    ...(ofFirstRow?.relations.consequences ?? []),
  ];
}

/** A timestamp as a column value. */
export function timeColumn({ tx }: Pick<Write, 'tx'>, time: string | null): SqlParam {
  return time === null ? null : tx.dialect.bind('datetime', time);
}

const NOT_FOUND = "An entry was written but can't be found";

function entryOf(answer: EntryStatement, row: Row | undefined): ReadEntry {
  if (!row) throw new Error(NOT_FOUND);
  return answer.entryOf(row);
}

/** The last steps of a plan, which read an entry that it has written, and what they have read. */
interface WrittenRead {
  readonly steps: readonly Step[];
  entryOf(outcome: Outcome): ReadEntry;
}

/** Reads an entry that the steps before have written. */
export function readWritten(id: number | NewId, answer: EntryStatement): WrittenRead {
  const { complete } = answer;
  if (!complete) {
    const read: Statement = { sql: answer.statement(id), returns: 'rows' };
    return { steps: [read], entryOf: (outcome) => entryOf(answer, outcome.of(read).rows[0]) };
  }
  let entry: ReadEntry | undefined;
  const readAll = async (tx: Transaction): Promise<readonly Step[]> => {
    const found = await tx.get(answer.statement(id));
    if (!found) throw new Error(NOT_FOUND);
    entry = await complete(tx, found);
    return [];
  };
  return { steps: [readAll], entryOf: () => entry ?? entryOf(answer, undefined) };
}

/** A write plan that returns the entry: from the RETURNING of its row, or from a read after it. */
export function answeredPlan({ subject, id, row, steps }: PlannedEntry, answer: EntryStatement): WritePlan<ReadEntry> {
  const subjects = [subject];
  if (answer.complete) {
    const read = readWritten(id, answer);
    return { subjects, steps: [...steps, ...read.steps], answer: (outcome) => read.entryOf(outcome) };
  }
  if (row.returns === 'rows') {
    return { subjects, steps, answer: (outcome) => entryOf(answer, outcome.of(row).rows[0]) };
  }
  return { subjects, steps, read: answer.statement(id), answer: ({ rows }) => entryOf(answer, rows[0]) };
}
