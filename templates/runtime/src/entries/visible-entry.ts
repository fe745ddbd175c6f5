/** What `beforeFind` or a rule hides from a caller can't be changed either. */
import { NotFoundError } from '../contract/errors.ts';
import type { CallContext } from '../query/entry-request.ts';
import { narrowed } from '../query/narrowing.ts';
import type { HookedType } from './context.ts';
import { runBeforeFind } from './hooks.ts';
import { ANY_STATE, narrowedTo, rulesHide } from './rules/action-rules.ts';

/** Whether some entries of the type may be hidden from the caller. */
export function mayHideFrom(context: HookedType, { caller }: CallContext): boolean {
  if (caller.kind === 'server') return false;
  return context.hooks?.beforeFind !== undefined || rulesHide(context, caller);
}

/** Those of the entries that are not hidden from the caller, drafts included. */
export async function visibleAmong(
  context: HookedType,
  ids: readonly number[],
  call: CallContext,
): Promise<ReadonlySet<number>> {
  const { reader, type, hooks, server } = context;
  if (!mayHideFrom(context, call)) return new Set(ids);
  const filters = await runBeforeFind(hooks, call);
  const hooked = filters ? narrowed(ANY_STATE, { [type.uid]: filters }) : ANY_STATE;
  const query = await narrowedTo(context, hooked, call, 'found');
  return query === ANY_STATE ? new Set(ids) : reader.matching(type, { caller: server, query }, ids);
}

/** Throws `hidden` for an entry that is hidden from the caller. Drafts are included. */
export async function requireVisible(
  context: HookedType,
  id: number,
  call: CallContext,
  hidden: () => Error = () => new NotFoundError(),
): Promise<void> {
  if (!mayHideFrom(context, call)) return;
  if (!(await visibleAmong(context, [id], call)).has(id)) throw hidden();
}
