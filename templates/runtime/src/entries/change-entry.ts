/** Checks and writes a change of an entry in one transaction; answers its text. */
import { ValidationError } from '../contract/errors.ts';
import type { WritePlan } from '../database/write-plan.ts';
import type { Asker } from '../query/entry-request.ts';
import { entryHooks } from './after-hook.ts';
import { checkCompleteness } from './completeness.ts';
import type { EntryInput, StoredEntry, TypeContext, WriteRequest } from './context.ts';
import { planDelete } from './delete-entry.ts';
import { checkUpdate, notSent, publishes } from './entry-input.ts';
import { getEntry } from './stored-entry.ts';
import { StaleEntryError } from './stale-entry.ts';
import { withUidValues } from './uid-value.ts';
import { explainUniqueViolation, selfOf } from './unique.ts';
import { planUpdate } from './update-entry.ts';
import { answeredPlan, type Write } from './write-entry.ts';

/**
 * The values of an update that makes a draft public, with those that the server makes by itself. Throws ValidationError for
 * what the draft lacks.
 */
async function completed(
  { tx, type }: Write,
  context: TypeContext,
  { id, localization }: StoredEntry,
  { data, input }: { readonly data: unknown; readonly input: EntryInput },
): Promise<EntryInput> {
  const attributes = notSent(Object.entries(type.attributes), data);
  const found = await checkCompleteness(tx, context, id, { attributes, lock: true });
  if (!found) throw new StaleEntryError();
  if (found.issues.length > 0) throw new ValidationError(found.issues);
  return withUidValues(tx, type, input, { ...found.values, ...input, locale: localization?.locale });
}

async function changeOnce(context: TypeContext, stored: StoredEntry, request: WriteRequest): Promise<string> {
  const { database, types, type } = context;
  const { data, caller, checked, ownFiles, trusts } = request;
  const input = await checkUpdate(context, stored, request);
  const { entry: answer } = checked;
  const hooks = entryHooks(context, 'afterUpdate', request);
  const text = await explainUniqueViolation(context, { input, self: selfOf(stored) }, () =>
    database.write(async (tx) => {
      const write = { tx, types, type, caller, ownFiles, trusts };
      const isPublishing = publishes(type, stored, data);
      const values = isPublishing ? await completed(write, context, stored, { data, input }) : input;
      const planned = await planUpdate(write, stored, values, hooks.wanted ? undefined : answer.returning);
      const steps = [...planned.steps, ...hooks.steps(stored.id)];
      return answeredPlan(hooks.wanted ? { ...planned, steps } : planned, answer);
    }),
  );
  await hooks.committed();
  return text;
}

/** Validates and applies an update of an entry. Throws NotFoundError if there is none. */
export async function changeEntry(context: TypeContext, stored: StoredEntry, write: WriteRequest): Promise<string> {
  for (let current = stored; ; current = await getEntry(context.database, context.type, stored.id)) {
    try {
      return await changeOnce(context, current, write);
    } catch (error) {
      // Published or unpublished meanwhile: the rules for drafts are others. Or it is gone.
      if (error instanceof StaleEntryError) continue;
      // What is wrong with the data is said only of an entry that there is.
      if (error instanceof ValidationError) await getEntry(context.database, context.type, stored.id);
      throw error;
    }
  }
}

type Removal = Asker & Pick<WriteRequest, 'checked'>;

/** Deletes entries in one transaction; answers them as they were. Throws NotFoundError if one of them is gone by now. */
export async function removeEntries(
  context: TypeContext,
  ids: readonly number[],
  request: Removal,
): Promise<readonly string[]> {
  const hooks = ids.map(() => entryHooks(context, 'afterDelete', request));
  const texts = await context.database.write(async (tx) => {
    const plans: WritePlan<string>[] = [];
    for (const id of ids) plans.push(await planDelete(tx, context, id, request.checked));
    return {
      about: plans.flatMap(({ about }) => about),
      steps: [
        ...hooks.flatMap(({ deleted }, index) => deleted.before(ids[index] ?? 0)),
        ...plans.flatMap(({ steps }) => steps),
        ...hooks.flatMap(({ deleted }) => deleted.after()),
      ],
      answer: (outcome) => plans.map((plan) => plan.answer(outcome)),
    };
  });
  for (const { committed } of hooks) await committed();
  return texts;
}

/** Deletes an entry; answers it as it was. Throws NotFoundError if it is gone by now. */
export async function removeEntry(context: TypeContext, id: number, request: Removal): Promise<string> {
  const [text = ''] = await removeEntries(context, [id], request);
  return text;
}
