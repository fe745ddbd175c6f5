/** Runs a write with everything that surrounds its transaction: the hooks of its entry, and those of others that it updates. */
import type { Reach } from '../content/relations/reach.ts';
import type { CallContext } from '../query/entry-request.ts';
import { type AfterHook, type EntryHooks, entryHooks } from './after-hook.ts';
import type { HookedType } from './context.ts';
import { otherSides } from './other-sides.ts';

/** What a write gets. It may be called again, if it could not be planned without hooks of other entries. */
export interface WriteRun {
  readonly hooks: EntryHooks;
  readonly reach: Reach;
}

/** The hooks of a write's entry: `name`, then `further`. */
interface Run {
  readonly name: AfterHook;
  readonly further?: readonly string[];
  readonly call: CallContext;
}

export async function runWrite<T>(
  context: HookedType,
  { name, further, call }: Run,
  write: (run: WriteRun) => Promise<T>,
): Promise<T> {
  const hooks = entryHooks(context, name, call, further);
  const others = otherSides(context, call);
  const result = await others.run(() => write({ hooks, reach: others.reach }));
  if (hooks.wanted) await hooks.committed();
  await others.committed();
  return result;
}
