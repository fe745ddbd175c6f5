/** Creates many entries in one transaction, all or none. */
import { type ErrorPath, type Issue, ValidationError } from '../contract/errors.ts';
import { UniqueViolation } from '../database/database.ts';
import type { NewId } from '../database/new-id.ts';
import type { Outcome, Step, Subject } from '../database/write-plan.ts';
import type { EntryRequest } from '../query/entry-request.ts';
import type { EntryInput, TypeContext, WriteRequest } from './context.ts';
import { checkNewEntry, type DocumentLocale, willBeDraft } from './entry-input.ts';
import { planMany } from './insert-many.ts';
import type { ReadEntry } from '../query/version-tag.ts';
import { draftRule, madePublic, newOutcomeSteps, requireDraftAlone } from './publication.ts';
import { runWrite } from './run-write.ts';
import { type EntryDoor, type SaveBody, saveBy } from './save-entry.ts';
import type { ClaimedValues } from './uid-value.ts';
import { explainedViolation, takenAttributes } from './unique.ts';
import { readWritten } from './write-entry.ts';

/** A validated entry that is not written yet. */
interface Prepared {
  readonly request: WriteRequest;
  readonly input: EntryInput;
  readonly self: DocumentLocale;
  readonly draft: boolean;
}

function issuesAt(index: number, issues: readonly Issue[]): ValidationError {
  const path: ErrorPath = [String(index)];
  return new ValidationError(issues.map((issue) => ({ ...issue, path: [...path, ...issue.path] })));
}

/** Runs a step for each of many, in order. The paths of a ValidationError begin with the index. */
export async function forEachOfMany<From, To>(
  all: readonly From[],
  step: (one: From, index: number) => Promise<To>,
): Promise<readonly To[]> {
  const results: To[] = [];
  for (const [index, one] of all.entries()) {
    try {
      results.push(await step(one, index));
    } catch (error) {
      throw error instanceof ValidationError ? issuesAt(index, error.issues) : error;
    }
  }
  return results;
}

/** Runs the steps before the write: rights, before-hooks, validation. */
async function prepare(context: TypeContext, request: EntryRequest, door: EntryDoor<SaveBody>): Promise<Prepared> {
  const { entry } = await saveBy(context, request, door, async (target, input): Promise<Prepared> => {
    if (target.kind !== 'new') throw new Error('only new entries are created');
    const { documentLocale: self } = target;
    const draft = willBeDraft(context.type, input.data, false);
    requireDraftAlone(context.type, input, draft);
    return { request: input, self, draft, input: await checkNewEntry(context, input, target) };
  });
  return entry;
}

/** Which of the entries has a value that is taken. If none has, two of them have the same one. */
export async function explainedMany(
  context: Pick<TypeContext, 'database' | 'types' | 'type'>,
  all: readonly Pick<Prepared, 'input' | 'self'>[],
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof UniqueViolation)) return error;
  const { database, types, type } = context;
  for (const [index, { input, self }] of all.entries()) {
    const issues = await takenAttributes(database, type, input, self);
    if (issues.length > 0) return issuesAt(index, issues);
  }
  return explainedViolation(error, { types, type, input: {} });
}

/** The last steps of creating entries, and the result. */
interface Outcomes<T> {
  readonly steps: readonly Step[];
  answer(outcome: Outcome): T;
}

async function create<T>(
  context: TypeContext,
  call: EntryRequest,
  all: readonly Prepared[],
  outcomesOf: (ids: readonly NewId[]) => Outcomes<T>,
): Promise<T> {
  const { types, type } = context;
  return runWrite(context, { call }, async (tx, { reach, hooks }) => {
    const claimed: ClaimedValues = new Set();
    const { ids, steps } = await planMany(
      all.map(({ request: { caller, ownFiles, trusts }, input }) => ({
        write: { tx, types, type, caller, reach, ownFiles, trusts, claimed },
        input,
      })),
    );
    const subjects: Subject[] = [];
    const later: Step[] = [];
    const after: Step[] = [];
    for (const [index, id] of ids.entries()) {
      const { draft = false, request: created = {} } = all[index] ?? {};
      subjects.push({ action: 'create', type: type.uid, id, ...madePublic(type, draft) });
      later.push(...(await newOutcomeSteps(tx, context, id, { draft })));
      after.push(...hooks('afterCreate', { action: draftRule(created), isNew: true }).after(id));
    }
    const outcomes = outcomesOf(ids);
    return {
      subjects,
      steps: [...steps, ...later, ...after, ...outcomes.steps],
      answer: (outcome) => outcomes.answer(outcome),
    };
  });
}

/** Resolves to the ids. Throws what creating one of them throws; then none is created. */
export async function createMany(
  context: TypeContext,
  doors: readonly EntryDoor<SaveBody>[],
  request: EntryRequest,
): Promise<readonly number[]> {
  const all = await forEachOfMany(doors, (door) => prepare(context, request, door));
  const written = create(context, request, all, (ids) => ({ steps: [], answer: () => ids.map(({ value }) => value) }));
  return written.catch(async (error: unknown) => {
    throw await explainedMany(context, all, error);
  });
}

/** Resolves to the entries, as each request of its own is answered. Throws UniqueViolation, too. */
export async function createEach(
  context: TypeContext,
  doors: readonly EntryDoor<SaveBody>[],
  request: EntryRequest,
): Promise<readonly ReadEntry[]> {
  const all = await forEachOfMany(doors, (door) => prepare(context, request, door));
  return create(context, request, all, (ids) => {
    const reads = ids.map((id, index) => {
      const {
        draft,
        request: { checked },
      } = all[index]!;
      return readWritten(id, draft ? checked.entry : checked.published());
    });
    return {
      steps: reads.flatMap(({ steps }) => steps),
      answer: (outcome) => reads.map((read) => read.entryOf(outcome)),
    };
  });
}
