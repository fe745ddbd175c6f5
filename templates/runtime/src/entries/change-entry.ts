/** Changes and deletes entries, each in one transaction. */
import { ValidationError } from '../contract/errors.ts';
import type { CallContext } from '../query/entry-request.ts';
import { runWrite } from './run-write.ts';
import { checkCompleteness } from './completeness.ts';
import type { EntryInput, StoredEntry, TypeContext, WriteRequest } from './context.ts';
import { planDeletes } from './delete-entries.ts';
import { checkUpdate, notSent, publishes, sentValues, willBeDraft } from './entry-input.ts';
import { StaleEntryError } from './stale-entry.ts';
import { withAwaitedUids, withUidValues } from './uid-value.ts';
import { refuseTaken, selfOf } from './unique.ts';
import type { ReadEntry } from '../query/version-tag.ts';
import { ofRow } from './preconditions.ts';
import { draftRule, outcomeOf, outcomeSteps, publicationOf, requireDraftAlone, withoutTime } from './publication.ts';
import { planUpdate } from './update-entry.ts';
import { answeredPlan, type Write } from './write-entry.ts';

/**
 * The values of an update that publishes a draft, including generated ones. Throws ValidationError if the draft is incomplete.
 */
async function completed(
  { tx, type }: Write,
  context: TypeContext,
  { id, localization }: StoredEntry,
  { data, input }: { readonly data: unknown; readonly input: EntryInput },
): Promise<EntryInput> {
  const attributes = notSent(Object.entries(type.attributes), data);
  const found = await checkCompleteness(tx, context, id, { attributes, lock: true, sent: sentValues(data) });
  if (!found) throw new StaleEntryError();
  if (found.issues.length > 0) throw new ValidationError(found.issues);
  const whole = { ...found.awaiting, ...input };
  const known = { ...found.values, ...input, locale: localization?.locale };
  return withUidValues(tx, type, whole, known, { row: id });
}

/**
 * Validates and applies an update. Throws ValidationError, and StaleEntryError if the entry was deleted or changed meanwhile, or published
 * or unpublished, so that other rules apply.
 */
export async function changeEntry(
  context: TypeContext,
  stored: StoredEntry,
  request: WriteRequest,
): Promise<ReadEntry> {
  const { types, type } = context;
  const { data, caller, checked, ownFiles, trusts, expected } = request;
  const valid = await checkUpdate(context, stored, request);
  const draft = willBeDraft(type, data, !stored.published);
  const input = withoutTime(type, valid, checked.alone && draft);
  const outcome = outcomeOf(type, stored, { draft, alone: checked.alone });
  requireDraftAlone(type, request, outcome === 'draft');
  const answer = outcome === 'published' ? checked.published() : checked.entry;
  const isPublishing = publishes(type, stored, data);
  const publication = publicationOf(outcome);
  const isUnmodified = outcome === 'published' && !isPublishing;
  const execution = { call: request, written: { input, self: selfOf(stored) } };
  return runWrite(context, execution, async (tx, run) => {
    const write = { tx, types, type, caller, reach: run.reach, ownFiles, trusts, draft };
    const values = isPublishing
      ? await completed(write, context, stored, { data, input })
      : draft
        ? await withAwaitedUids(tx, type, input, stored)
        : input;
    if (outcome) await refuseTaken(tx, context, request, { input: values, self: selfOf(stored) });
    const hooks = run.hooks('afterUpdate', { action: draftRule(request) });
    const returning = hooks.wanted || outcome === 'published' ? undefined : answer.returning;
    const planned = await planUpdate(write, stored, values, {
      returning,
      expected: ofRow(expected, stored),
      isUnmodified,
    });
    const published = await outcomeSteps(tx, context, stored, { outcome, input: values });
    const steps = [...hooks.before(stored.id), ...planned.steps, ...published, ...hooks.after(stored.id)];
    const subject = { publication, cause: request.cause, ...planned.subject };
    return answeredPlan({ ...planned, subject, steps }, answer);
  });
}

type Removal = CallContext & Pick<WriteRequest, 'checked' | 'expected'>;

/**
 * Deletes entries in one transaction, with those that go with them; returns the entries themselves as they were. Throws NotFoundError if one of them is gone, and StaleEntryError
 * if one has none of the expected versions.
 */
export async function removeEntries(
  context: TypeContext,
  ids: readonly number[],
  request: Removal,
): Promise<readonly ReadEntry[]> {
  // An index of a hand-written migration may refuse the rows that lose a relation to these entries.
  const execution = { call: request, written: { input: {}, self: {} } };
  return runWrite(context, execution, async (tx, run) => {
    const plan = await planDeletes(tx, context, ids, { ...request, reach: run.reach });
    const hooks = ids.map((id) => ({ id, hooks: run.hooks('afterDelete') }));
    return {
      ...plan,
      steps: [
        ...hooks.flatMap(({ id, hooks: { before } }) => before(id)),
        ...plan.steps,
        ...hooks.flatMap(({ id, hooks: { after } }) => after(id)),
      ],
    };
  });
}
