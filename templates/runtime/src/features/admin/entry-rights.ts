/** What a caller may do with one entry: the permissions of the role, and the rules that narrow them. */
import type { AdminEntryRights } from '../../contract/admin.ts';
import { NotFoundError } from '../../contract/errors.ts';
import { may } from '../../contract/policy/caller.ts';
import type { HookedType } from '../../entries/context.ts';
import { amongWhich, type RuledAction, shownAmong } from '../../entries/rules/action-rules.ts';
import type { CallContext } from '../../query/entry-request.ts';

/** Throws NotFoundError if the caller is not shown the entry, as if it did not exist. */
export async function entryRights(context: HookedType, id: number, call: CallContext): Promise<AdminEntryRights> {
  const { caller } = call;
  const { uid } = context.type;
  if (!(await shownAmong(context, [id], call)).has(id)) throw new NotFoundError();
  const permits = async (action: Exclude<RuledAction, 'create'>): Promise<boolean> =>
    may(caller, action, uid) && (await amongWhich(context, [id], call, { question: action })).has(id);
  return { update: await permits('update'), draft: await permits('draft'), delete: await permits('delete') };
}
