/** Hooks that run in the transaction of a write, once all of it is done, and those that run when it is committed. */
import type { LaterSteps } from '../database/write-plan.ts';
import type { NewId } from '../database/new-id.ts';
import type { Caller } from '../contract/policy/caller.ts';
import type { TypeContext } from './context.ts';
import { queryOf } from '../query/query-of.ts';
import { type AfterHook, hasHook, runAfter, runCommitted } from './hooks.ts';

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

const ACTIONS = { afterCreate: 'create', afterUpdate: 'update', afterDelete: 'delete' } as const;

/** The hooks of one write. A transaction that is run again runs `steps` again, and `committed` is told of the last run. */
export function entryHooks(context: TypeContext, name: AfterHook, caller: Caller): EntryHooks {
  const { hooks, reader, type, server } = context;
  const wanted = hasHook(hooks, name) || hasHook(hooks, 'committed');
  let entry: unknown;
  /** Of the last run: the transaction may be run again. */
  let later: (() => Promise<void>)[] = [];
  const read =
    (id: number | NewId): LaterSteps =>
    async (tx) => {
      const whole = reader.check(type, { caller: server, query: WHOLE });
      entry = JSON.parse(await reader.entry(tx, whole, typeof id === 'number' ? id : id.value));
      return [];
    };
  const run: LaterSteps = async (tx) => {
    later = [];
    await runAfter(hooks, name, { entry, caller }, { tx, later });
    return [];
  };
  return {
    wanted,
    steps: (id) => (wanted ? [read(id), run] : []),
    deleted: { before: (id) => (wanted ? [read(id)] : []), after: () => (wanted ? [run] : []) },
    async committed() {
      if (!wanted) return;
      await context.afterCommit(async () => {
        await runCommitted(hooks, { action: ACTIONS[name], entry, caller });
        for (const work of later) await work();
      });
    },
  };
}
