/** Hooks that run at the end of a write's transaction, and those that run after its commit. */
import { sql } from '../database/sql.ts';
import type { LaterSteps, Transaction } from '../database/write-plan.ts';
import type { NewId } from '../database/new-id.ts';
import type { HookedType } from './context.ts';
import type { CallContext } from '../query/entry-request.ts';
import { OWN } from '../query/format.ts';
import { queryOf } from '../query/query-of.ts';
import { callHook, copyCallContext, hasHook } from './hooks.ts';
import type { RuledAction } from './rules/action-rules.ts';
import { ruleSteps } from './rules/rule-steps.ts';
import { parsedEntry } from '../query/version-tag.ts';

const WHOLE = queryOf({});

/** A step that only reads. */
type ReadBefore = (tx: Transaction) => Promise<readonly never[]>;

/** The hooks that receive a written entry. */
export interface EntryHooks {
  /** Whether the type has any of these hooks. */
  readonly wanted: boolean;
  /** The first steps of the plan of an update or deletion: they read the entry as it is before. */
  before(id: number): readonly ReadBefore[];
  /** The last steps of a plan: they run the after-hook; if it throws, everything is rolled back. */
  after(id: number | NewId): readonly LaterSteps[];
  /** To be called after the commit. */
  committed(): Promise<void>;
}

export type AfterHook = keyof typeof ACTIONS;

const ACTIONS = { afterCreate: 'create', afterUpdate: 'update', afterDelete: 'delete' } as const;

/** The options of hooks. */
export interface HookOptions {
  /** Hooks that run after the named one. */
  readonly further?: readonly string[];
  /** The action whose rule the entry must satisfy; null: none has one. Default: that of the hook. */
  readonly action?: RuledAction | null | undefined;
  /** Whether the write makes the entry, though its hook or action is that of an update. */
  readonly isNew?: boolean;
}

/**
 * The hooks of one write, around which the rule of its action is checked. When the transaction is retried, its steps run again;
 * `committed` sees only the last attempt.
 */
export function entryHooks(
  context: HookedType,
  name: AfterHook,
  request: CallContext,
  { further, action = ACTIONS[name], isNew = false }: HookOptions = {},
): EntryHooks {
  const hooks = projectHooks(context, name, request, further);
  const rule = action === null ? undefined : ruleSteps(context, action, request);
  if (!rule) return hooks;
  return {
    wanted: true,
    before: (id) => [...rule.before(id), ...hooks.before(id)],
    after: (id) => [...hooks.after(id), ...rule.after(id, isNew)],
    committed: () => hooks.committed(),
  };
}

function projectHooks(
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
  let before: unknown;
  /** Work to do after the commit, from the last attempt: the transaction may be retried. */
  let later: (() => Promise<void>)[] = [];
  const read = async (tx: Transaction, id: number): Promise<unknown> => {
    const whole = await reader.check(type, { caller: server, query: WHOLE, format: OWN });
    return parsedEntry(await reader.entry(tx, whole, id));
  };
  const readBefore =
    (id: number): ReadBefore =>
    async (tx) => {
      const { id: quote, rowLock } = tx.dialect;
      // Nobody else changes it between this read and the write.
      if (rowLock.text !== '') await tx.get(sql`SELECT id FROM ${quote(type.table)} WHERE id = ${id}${rowLock}`);
      before = await read(tx, id);
      return [];
    };
  const run =
    (id: number | NewId): LaterSteps =>
    async (tx) => {
      entry = name === 'afterDelete' ? before : await read(tx, typeof id === 'number' ? id : id.value);
      later = [];
      const event = { ...call, entry, ...(name === 'afterUpdate' && { before }), scope: { tx, later } };
      for (const each of names) await callHook(hooks, each, event);
      return [];
    };
  return {
    wanted,
    before: (id) => (wanted ? [readBefore(id)] : []),
    after: (id) => (wanted ? [run(id)] : []),
    async committed() {
      if (!wanted) return;
      await context.afterCommit(async () => {
        const action = ACTIONS[name];
        await callHook(hooks, 'committed', { ...call, action, entry, ...(action === 'update' && { before }) });
        for (const work of later) await work();
      });
    },
  };
}
