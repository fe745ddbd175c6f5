/** What `beforeFind` hides from a caller can't be changed either. */
import { NotFoundError } from '../contract/errors.ts';
import type { CallContext } from '../query/entry-request.ts';
import { narrowed } from '../query/narrowing.ts';
import { queryOf } from '../query/query-of.ts';
import type { HookedType } from './context.ts';
import { runBeforeFind } from './hooks.ts';

const ANY_STATE = queryOf({ fields: ['id'], publicationState: 'preview' });

/** Whether some entries of the type may be hidden from the caller. */
export function mayHideFrom({ hooks }: HookedType, { caller }: CallContext): boolean {
  return hooks?.beforeFind !== undefined && caller.kind !== 'server';
}

/** Those of the entries that are not hidden from the caller, drafts included. */
export async function visibleAmong(
  context: HookedType,
  ids: readonly number[],
  call: CallContext,
): Promise<ReadonlySet<number>> {
  const { reader, type, hooks, server } = context;
  const filters = mayHideFrom(context, call) ? await runBeforeFind(hooks, call) : undefined;
  if (!filters) return new Set(ids);
  const query = narrowed(ANY_STATE, { [type.uid]: filters });
  return reader.matching(type, { caller: server, query }, ids);
}

/** Throws `hidden` for an entry that `beforeFind` hides from the caller. Drafts are included. */
export async function requireVisible(
  context: HookedType,
  id: number,
  call: CallContext,
  hidden: () => Error = () => new NotFoundError(),
): Promise<void> {
  if (!mayHideFrom(context, call)) return;
  if (!(await visibleAmong(context, [id], call)).has(id)) throw hidden();
}
