/** Checks whether a caller may see the entry that a request changes. */
import { NotFoundError } from '../contract/errors.ts';
import type { CallContext } from '../query/entry-request.ts';
import { narrowed } from '../query/narrowing.ts';
import { queryOf } from '../query/query-of.ts';
import type { HookedType } from './context.ts';
import { runBeforeFind } from './hooks.ts';

const ANY_STATE = queryOf({ fields: ['id'], publicationState: 'preview' });

/** Throws NotFoundError for an entry that `beforeFind` hides from the caller. Drafts are included. */
export async function requireVisible(context: HookedType, id: number, call: CallContext): Promise<void> {
  const { reader, type, hooks, server } = context;
  if (!hooks?.beforeFind || call.caller.kind === 'server') return;
  const filters = await runBeforeFind(hooks, call);
  if (!filters) return;
  const query = narrowed(ANY_STATE, { [type.uid]: filters });
  if ((await reader.one(type, { caller: server, query }, id)) === undefined) throw new NotFoundError();
}
