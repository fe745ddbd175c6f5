/** Validates and inserts a new entry in one transaction, and returns it. */
import type { Issue } from '../contract/errors.ts';
import type { Transaction } from '../database/write-plan.ts';
import type { TypeContext, WriteRequest } from './context.ts';
import { runWrite } from './run-write.ts';
import { checkNewEntry, type DocumentLocale, willBeDraft } from './entry-input.ts';
import { planInsert } from './insert-entry.ts';
import { draftRule, madePublic, newOutcomeSteps, requireDraftAlone } from './publication.ts';
import type { ReadEntry } from '../query/version-tag.ts';
import { refuseTaken } from './unique.ts';
import { answeredPlan } from './write-entry.ts';

interface NewEntry {
  readonly documentLocale: DocumentLocale;
  readonly issues: readonly Issue[];
  /** Runs first in the transaction. */
  readonly precondition?: (tx: Transaction) => Promise<void>;
}

/** Inserts an entry in the given locale and document, unless there are issues. */
export async function createEntryAt(
  context: TypeContext,
  request: WriteRequest,
  { documentLocale, issues, precondition }: NewEntry,
): Promise<ReadEntry> {
  const { types, type } = context;
  const { caller, checked, ownFiles, trusts } = request;
  const draft = willBeDraft(type, request.data, false);
  requireDraftAlone(type, request, draft);
  const answer = draft ? checked.entry : checked.published();
  const input = await checkNewEntry(context, request, { documentLocale, issues });
  const name = type.kind === 'singleType' ? 'afterUpdate' : 'afterCreate';
  const execution = { call: request, written: { input, self: documentLocale } };
  return runWrite(context, execution, async (tx, run) => {
    await precondition?.(tx);
    await refuseTaken(tx, context, request, { input, self: documentLocale });
    const hooks = run.hooks(name, { action: draftRule(request), isNew: true });
    const write = { tx, types, type, caller, reach: run.reach, ownFiles, trusts };
    const isPlain = !hooks.wanted && answer === checked.entry;
    const planned = await planInsert(write, input, { returning: isPlain ? answer.returning : undefined });
    const published = await newOutcomeSteps(tx, context, planned.id, { draft });
    const steps = [...planned.steps, ...published, ...hooks.after(planned.id)];
    const subject = { ...planned.subject, ...madePublic(type, draft) };
    return answeredPlan({ ...planned, subject, steps }, answer);
  });
}
