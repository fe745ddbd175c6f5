/** Hooks that run at the end of a write's transaction, and those that run after its commit. */
import type { LaterSteps } from '../database/write-plan.ts';
import type { NewId } from '../database/new-id.ts';
import type { HookedType } from './context.ts';
import type { CallContext } from '../query/entry-request.ts';
import { queryOf } from '../query/query-of.ts';
import { callHook, copyCallContext, hasHook } from './hooks.ts';

const WHOLE = queryOf({});

/** The hooks that receive a written entry. */
export interface EntryHooks {
  /** Whether the type has any of these hooks. */
  readonly wanted: boolean;
  /** The last steps of a plan: they run the after-hook; if it throws, everything is rolled back. */
  steps(id: number | NewId): readonly LaterSteps[];
  /** For a deletion: steps at the start of the plan, which read the entry, and steps at its end, which run the after-hook. */
  readonly deleted: { before(id: number): readonly LaterSteps[]; after(): readonly LaterSteps[] };
  /** To be called after the commit. */
  committed(): Promise<void>;
}

export type AfterHook = keyof typeof ACTIONS;

const ACTIONS = { afterCreate: 'create', afterUpdate: 'update', afterDelete: 'delete' } as const;

/**
 * The hooks of one write; those in `further` run after `name`. When the transaction is retried, `steps` run again; `committed`
 * sees only the last attempt.
 */
export function entryHooks(
  context: HookedType,
  name: AfterHook,
  request: CallContext,
  further: readonly string[] = [],
): EntryHooks {
  const call = copyCallContext(request);
  const { hooks, reader, type, server } = context;
  const names = [name, ...further];
  const wanted = [...names, 'committed'].some((each) => hasHook(hooks, each));
  let entry: unknown;
  /** Work to do after the commit, from the last attempt: the transaction may be retried. */
  let later: (() => Promise<void>)[] = [];
  const read =
    (id: number | NewId): LaterSteps =>
    async (tx) => {
      const whole = await reader.check(type, { caller: server, query: WHOLE });
      entry = JSON.parse((await reader.entry(tx, whole, typeof id === 'number' ? id : id.value)).text);
      return [];
    };
  const run: LaterSteps = async (tx) => {
    later = [];
    for (const each of names) await callHook(hooks, each, { ...call, entry, scope: { tx, later } });
    return [];
  };
  return {
    wanted,
    steps: (id) => (wanted ? [read(id), run] : []),
    deleted: { before: (id) => (wanted ? [read(id)] : []), after: () => (wanted ? [run] : []) },
    async committed() {
      if (!wanted) return;
      await context.afterCommit(async () => {
        await callHook(hooks, 'committed', { ...call, action: ACTIONS[name], entry });
        for (const work of later) await work();
      });
    },
  };
}
