/** The team's hooks as the entries call them, whatever the type. */
import type { CollectionHooks } from './hook-types.ts';
import type { Transaction } from '../database/database.ts';
import type { Caller } from '../contract/policy/caller.ts';
import type { EntryAnswer, ListAnswer } from '../query/answer.ts';

/** Hooks without the types of one content type. Method types, so that the typed hooks of any type are assignable. */
export type TypeHooks = CollectionHooks<never, never, never, never>;

type Event = Record<string, unknown> & { readonly caller: Caller };
/** The transaction in which a hook runs. */
export interface WriteScope {
  readonly tx: Transaction;
  /** Takes what is to be done once it is committed. */
  readonly later: (() => Promise<void>)[];
}

type AnyHook = (event: Event) => unknown;

type HookName = keyof TypeHooks;

function hookOf(hooks: TypeHooks | undefined, name: HookName): AnyHook | undefined {
  return hooks?.[name] as AnyHook | undefined;
}

/** Runs `beforeCreate` or `beforeUpdate`: answers the data to use, the hook's own if it returned one. */
export async function runBefore(
  hooks: TypeHooks | undefined,
  name: 'beforeCreate' | 'beforeUpdate',
  event: Event & { readonly data: unknown },
): Promise<unknown> {
  const hook = hookOf(hooks, name);
  if (!hook) return event.data;
  return (await hook.call(hooks, event)) ?? event.data;
}

export async function runBeforeDelete(
  hooks: TypeHooks | undefined,
  event: Event & { readonly id: number },
): Promise<void> {
  await hookOf(hooks, 'beforeDelete')?.call(hooks, event);
}

export type AfterHook = 'afterCreate' | 'afterUpdate' | 'afterDelete';

export function hasHook(hooks: TypeHooks | undefined, name: HookName): boolean {
  return hooks?.[name] !== undefined;
}

/** Runs a hook in the transaction of its write. */
export async function runAfter(
  hooks: TypeHooks | undefined,
  name: AfterHook,
  event: Event & { readonly entry: unknown },
  scope: WriteScope,
): Promise<void> {
  await hookOf(hooks, name)?.call(hooks, { ...event, scope });
}

/** Runs `committed`. What it throws is its own matter: the write is done. */
export async function runCommitted(
  hooks: TypeHooks | undefined,
  event: Event & { readonly entry: unknown },
): Promise<void> {
  await hookOf(hooks, 'committed')?.call(hooks, event);
}

/** Runs `transform` over the entry of an answer; the answer itself where there is no such hook. */
export async function transformEntry(
  hooks: TypeHooks | undefined,
  answer: EntryAnswer,
  caller: Caller,
): Promise<EntryAnswer> {
  const hook = hookOf(hooks, 'transform');
  return hook ? answer.with(await hook.call(hooks, { entry: answer.entry(), caller })) : answer;
}

/** Runs `transform` over each entry of a list. */
export async function transformList(
  hooks: TypeHooks | undefined,
  answer: ListAnswer,
  caller: Caller,
): Promise<ListAnswer> {
  const hook = hookOf(hooks, 'transform');
  if (!hook) return answer;
  const changed: unknown[] = [];
  for (const entry of answer.entries()) changed.push(await hook.call(hooks, { entry, caller }));
  return answer.with(changed);
}
