/**
 * Executes the write of an entry, or of several that belong together, in one transaction: with their hooks, and those of other
 * entries that it updates.
 */
import type { Reach } from '../content/relations/reach.ts';
import type { Transaction, WritePlan } from '../database/write-plan.ts';
import type { CallContext } from '../query/entry-request.ts';
import { type AfterHook, type EntryHooks, entryHooks, type HookOptions } from './after-hook.ts';
import type { EntryInput, HookedType } from './context.ts';
import { hasHook } from './hooks.ts';
import { keyedWrite, refusingTaken } from './keyed-write.ts';
import { otherSides } from './other-sides.ts';
import { explainUniqueViolation, type Self } from './unique.ts';

/** What a planner gets in each attempt. */
export interface WriteRun {
  readonly reach: Reach;
  /** The hooks of an entry of the write: `name`, then `further`. Their steps belong into the plan. `of`: of another type. */
  hooks(name: AfterHook, options?: HookOptions & { readonly of?: HookedType }): EntryHooks;
}

/** Who writes, and what is told of it. */
export interface Execution {
  readonly call: CallContext;
  /** What unique violations are explained by; undefined: they are thrown as they are. */
  readonly written?: { readonly input: EntryInput; readonly self: Self } | undefined;
  /** Runs after the commit, before the hooks of the commit. */
  readonly afterCommit?: () => unknown;
}

type PlanWrite<T> = (tx: Transaction, run: WriteRun) => Promise<WritePlan<T>>;

/** Throws ValidationError for a unique violation, and what `plan` throws. */
export function runWrite<T>(context: HookedType, execution: Execution, plan: PlanWrite<T>): Promise<T> {
  const { key } = execution.call;
  if (!key) return execute(context, execution, plan);
  if (hasHook(context.hooks, 'transform')) key.answersLate();
  return keyedWrite(key, (extend) => execute(context, execution, async (tx, run) => extend(await plan(tx, run))));
}

async function execute<T>(
  context: HookedType,
  { call, written, afterCommit }: Execution,
  plan: PlanWrite<T>,
): Promise<T> {
  const others = otherSides(context, call);
  let hooked: EntryHooks[] = [];
  const run: WriteRun = {
    reach: others.reach,
    hooks(name, { of = context, ...options } = {}) {
      const hooks = entryHooks(of, name, call, options);
      if (hooks.wanted) hooked.push(hooks);
      return hooks;
    },
  };
  const attempt = (): Promise<T> =>
    context.database.write(async (tx) => {
      hooked = [];
      others.begin();
      const planned = await plan(tx, run);
      return { by: call, ...planned, subjects: [...planned.subjects, ...others.subjects()] };
    });
  const { key } = call;
  const write = key ? () => refusingTaken(key, attempt) : attempt;
  // Not within the transaction, for which there may be no second connection.
  if (call.caller.permissions.rules) await context.ruleValues?.(call.caller);
  const explained = written ? () => explainUniqueViolation(context, written, write) : write;
  const result = await others.run(explained);
  await afterCommit?.();
  for (const { committed } of hooked) await committed();
  await others.committed();
  return result;
}
