/** What `beforeFind` or a rule hides from a caller can't be changed either. */
import { NotFoundError } from '../contract/errors.ts';
import type { CallContext } from '../query/entry-request.ts';
import type { HookedType } from './context.ts';
import { runBeforeFind } from './hooks.ts';
import { amongWhich, rulesHide } from './rules/action-rules.ts';

/** Whether some entries of the type may be hidden from the caller. */
export function mayHideFrom(context: HookedType, { caller }: CallContext): boolean {
  if (caller.kind === 'server') return false;
  return context.hooks?.beforeFind !== undefined || rulesHide(context, caller);
}

/** Those of the entries that are not hidden from the caller: as drafts, or as they are published. */
export async function visibleAmong(
  context: HookedType,
  ids: readonly number[],
  call: CallContext,
): Promise<ReadonlySet<number>> {
  if (!mayHideFrom(context, call)) return new Set(ids);
  return amongWhich(context, ids, call, { question: 'found', filters: await runBeforeFind(context.hooks, call) });
}

/** Throws `hidden` for an entry that is hidden from the caller in both states. */
export async function requireVisible(
  context: HookedType,
  id: number,
  call: CallContext,
  hidden: () => Error = () => new NotFoundError(),
): Promise<void> {
  if (!mayHideFrom(context, call)) return;
  if (!(await visibleAmong(context, [id], call)).has(id)) throw hidden();
}
