/** Hooks that run in the transaction of a write, once all of it is done, and those that run when it is committed. */
import type { LaterSteps } from '../database/write-plan.ts';
import type { NewId } from '../database/new-id.ts';
import type { HookedType } from './context.ts';
import type { Asker } from '../query/entry-request.ts';
import { queryOf } from '../query/query-of.ts';
import { askerIn, callHook, hasHook } from './hooks.ts';

const WHOLE = queryOf({});

/** The hooks that see a written entry. */
interface EntryHooks {
  /** Whether the type has any. */
  readonly wanted: boolean;
  /** Steps that end a plan: they run the after-hook, and undo all where it throws. */
  steps(id: number | NewId): readonly LaterSteps[];
  /** The same for an entry that is deleted: the first steps of a plan, that read it, and the last ones. */
  readonly deleted: { before(id: number): readonly LaterSteps[]; after(): readonly LaterSteps[] };
  /** To be called when the transaction is committed. */
  committed(): Promise<void>;
}

type AfterHook = keyof typeof ACTIONS;

const ACTIONS = { afterCreate: 'create', afterUpdate: 'update', afterDelete: 'delete' } as const;

/** The hooks of one write, of which `further` run after `name`. A transaction that is run again runs `steps` again, and `committed` is told of the last run. */
export function entryHooks(
  context: HookedType,
  name: AfterHook,
  request: Asker,
  further: readonly string[] = [],
): EntryHooks {
  const asker = askerIn(request);
  const { hooks, reader, type, server } = context;
  const names = [name, ...further];
  const wanted = [...names, 'committed'].some((each) => hasHook(hooks, each));
  let entry: unknown;
  /** Of the last run: the transaction may be run again. */
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
    for (const each of names) await callHook(hooks, each, { ...asker, entry, scope: { tx, later } });
    return [];
  };
  return {
    wanted,
    steps: (id) => (wanted ? [read(id), run] : []),
    deleted: { before: (id) => (wanted ? [read(id)] : []), after: () => (wanted ? [run] : []) },
    async committed() {
      if (!wanted) return;
      await context.afterCommit(async () => {
        await callHook(hooks, 'committed', { ...asker, action: ACTIONS[name], entry });
        for (const work of later) await work();
      });
    },
  };
}
