/** Creates many entries in one transaction, all or none. */
import { kindsOf } from '../contract/item-attributes.ts';
import { type ErrorPath, type Issue, ValidationError } from '../contract/errors.ts';
import { UniqueViolation } from '../database/database.ts';
import type { NewId } from '../database/new-id.ts';
import type { Step, Transaction } from '../database/write-plan.ts';
import type { EntryRequest } from '../query/entry-request.ts';
import type { EntryInput, TypeContext, WriteRequest } from './context.ts';
import { checkNewEntry, type DocumentLocale } from './entry-input.ts';
import { planInsert } from './insert-entry.ts';
import { runWrite, type WriteRun } from './run-write.ts';
import { type EntryDoor, type SaveBody, saveBy } from './save-entry.ts';
import { explainedViolation, takenAttributes } from './unique.ts';

/** A validated entry that is not written yet. */
interface Prepared {
  readonly request: WriteRequest;
  readonly input: EntryInput;
  readonly self: DocumentLocale;
}

function issuesAt(index: number, issues: readonly Issue[]): ValidationError {
  const path: ErrorPath = [String(index)];
  return new ValidationError(issues.map((issue) => ({ ...issue, path: [...path, ...issue.path] })));
}

/** Runs the steps before the write: rights, before-hooks, validation. The paths of a ValidationError begin with the index. */
async function prepare(
  context: TypeContext,
  request: EntryRequest,
  door: EntryDoor<SaveBody>,
  index: number,
): Promise<Prepared> {
  try {
    const { entry } = await saveBy(context, request, door, async (target, input): Promise<Prepared> => {
      if (target.kind !== 'new') throw new Error('only new entries are created');
      const { documentLocale: self } = target;
      return { request: input, self, input: await checkNewEntry(context, input, target) };
    });
    return entry;
  } catch (error) {
    throw error instanceof ValidationError ? issuesAt(index, error.issues) : error;
  }
}

/** Which of the entries has a value that is taken. If none has, two of them have the same one. */
async function explained(context: TypeContext, all: readonly Prepared[], error: unknown): Promise<unknown> {
  if (!(error instanceof UniqueViolation)) return error;
  const { database, types, type } = context;
  for (const [index, { input, self }] of all.entries()) {
    const issues = await takenAttributes(database, type, input, self);
    if (issues.length > 0) return issuesAt(index, issues);
  }
  return explainedViolation(error, { types, type, input: {} });
}

/** The steps of one entry, and its id, which they generate. */
async function stepsOf(
  context: TypeContext,
  { request: { caller, ownFiles, trusts }, input }: Prepared,
  { tx, run }: { readonly tx: Transaction; readonly run: WriteRun },
): Promise<{ readonly id: NewId; readonly steps: readonly Step[] }> {
  const { types, type } = context;
  const write = { tx, types, type, caller, reach: run.reach, ownFiles, trusts };
  const { id, steps } = await planInsert(write, input);
  return { id, steps: [...steps, ...run.hooks('afterCreate').after(id)] };
}

/** Resolves to the ids. Throws what creating one of them throws; then none is created. */
export async function createMany(
  context: TypeContext,
  doors: readonly EntryDoor<SaveBody>[],
  request: EntryRequest,
): Promise<readonly number[]> {
  const all: Prepared[] = [];
  for (const [index, door] of doors.entries()) all.push(await prepare(context, request, door, index));
  // Generated values depend on the entries before.
  const generates = kindsOf(context.type.attributes).scalars.some(
    ([, { type, required }]) => type === 'uid' && required,
  );
  const written = runWrite(context, { call: request }, async (transaction, run) => {
    const ids: NewId[] = [];
    const steps: Step[] = [];
    for (const prepared of all) {
      const plan = async (tx: Transaction): Promise<readonly Step[]> => {
        const planned = await stepsOf(context, prepared, { tx, run });
        ids.push(planned.id);
        return planned.steps;
      };
      steps.push(...(generates ? [plan] : await plan(transaction)));
    }
    const subject = { action: 'create', type: context.type.uid, id: undefined } as const;
    return { subjects: [subject], steps, answer: () => ids.map(({ value }) => value) };
  });
  return written.catch(async (error: unknown) => {
    throw await explained(context, all, error);
  });
}
