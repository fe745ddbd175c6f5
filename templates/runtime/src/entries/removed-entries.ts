/** Entries that are deleted with another one: that is a deletion of them, with their own hooks, and with the rule of their type. */
import type { Around, EntryOf } from '../content/relations/reach.ts';
import type { ContentType } from '../contract/content-type.ts';
import { ForbiddenError } from '../contract/errors.ts';
import type { CallContext } from '../query/entry-request.ts';
import { entryHooks } from './after-hook.ts';
import type { HookedType } from './context.ts';
import { hasHook, runBeforeDelete } from './hooks.ts';
import { mayHideFrom } from './visible-entry.ts';

/** The write that they are deleted by. */
interface Removing {
  readonly of: HookedType['of'];
  readonly call: CallContext;
  /** Runs what belongs before the transaction. */
  outside(prepare: () => Promise<void>): Promise<void>;
  /** Those of the entries that are hidden from the caller. */
  hidden(type: ContentType, ids: readonly number[]): Promise<ReadonlySet<number>>;
}

export function keyOf({ uid }: ContentType, id: number): string {
  return `${uid}:${id}`;
}

async function requireFound({ of, call, hidden }: Removing, entries: readonly EntryOf[]): Promise<void> {
  for (const type of new Set(entries.map((entry) => entry.type))) {
    const ids = entries.flatMap((entry) => (entry.type === type ? [entry.id] : []));
    if (!mayHideFrom(of(type), call) || (await hidden(type, ids)).size === 0) continue;
    throw new ForbiddenError({
      message: `entries of ${type.uid} would be deleted with it that this role may not find`,
    });
  }
}

/**
 * What runs around their deletion, and after the commit. `ran`: the entries whose `beforeDelete` has run; more are added. Throws
 * ForbiddenError if one of them is hidden from the caller.
 */
export async function aroundRemoved(
  removing: Removing,
  entries: readonly EntryOf[],
  ran: Set<string>,
): Promise<Around & { readonly committed: readonly (() => Promise<void>)[] }> {
  const { of, call, outside } = removing;
  await requireFound(removing, entries);
  const open = entries.filter(({ type, id }) => hasHook(of(type).hooks, 'beforeDelete') && !ran.has(keyOf(type, id)));
  if (open.length > 0) {
    await outside(async () => {
      for (const { type, id } of open) {
        ran.add(keyOf(type, id));
        await runBeforeDelete(of(type).hooks, id, call);
      }
    });
  }
  const hooked = entries.map(({ type, id }) => ({ id, hooks: entryHooks(of(type), 'afterDelete', call) }));
  return {
    before: hooked.flatMap(({ id, hooks }) => hooks.before(id)),
    after: hooked.flatMap(({ id, hooks }) => hooks.after(id)),
    committed: hooked.map(
      ({ hooks }) =>
        () =>
          hooks.committed(),
    ),
  };
}
