/** The team's hooks as the entries call them, whatever the type. */
import type { CollectionHooks } from './hook-types.ts';
import type { Transaction } from '../database/write-plan.ts';
import type { EntryAnswer, ListAnswer } from '../query/answer.ts';
import type { Asker, EntryRequest } from '../query/entry-request.ts';

/** Hooks without the types of one content type. Method types, so that the typed hooks of any type are assignable. */
export type TypeHooks = CollectionHooks<never, never, never, never>;

/** What a hook is called with, until `bindHooks` gives it its context. */
export interface RawEvent extends Asker {
  readonly scope?: WriteScope;
  readonly [name: string]: unknown;
}

/** The transaction in which a hook runs. */
export interface WriteScope {
  readonly tx: Transaction;
  /** Takes what is to be done once it is committed. */
  readonly later: (() => Promise<void>)[];
}

type AnyHook = (event: RawEvent) => unknown;

export function hasHook(hooks: TypeHooks | undefined, name: string): boolean {
  return (hooks as Record<string, unknown> | undefined)?.[name] !== undefined;
}

/** Calls a hook, if there is one, and answers what it returns. */
export async function callHook(hooks: TypeHooks | undefined, name: string, event: RawEvent): Promise<unknown> {
  return (hooks as Record<string, AnyHook | undefined> | undefined)?.[name]?.call(hooks, event);
}

/** Who asks, and no more of a request. */
export function askerIn({ caller, requestId }: Asker): Asker {
  return { caller, requestId };
}

/** What `beforeFind` narrows reads to; undefined where it does not. Throws where it returns what are no filters. */
export async function runBeforeFind(hooks: TypeHooks | undefined, asker: Asker): Promise<object | undefined> {
  const filters = await callHook(hooks, 'beforeFind', { ...askerIn(asker) });
  if (filters === undefined || filters === null) return undefined;
  // What is false narrows nothing, which is not what was meant.
  if (typeof filters !== 'object') throw new Error(`beforeFind returned ${typeof filters}, in place of filters`);
  return filters;
}

/** Runs a hook that may return other data: answers the data to use. */
export async function runBefore(
  hooks: TypeHooks | undefined,
  name: string,
  event: RawEvent & { readonly data: unknown },
): Promise<unknown> {
  return (await callHook(hooks, name, event)) ?? event.data;
}

export async function runBeforeDelete(hooks: TypeHooks | undefined, id: number, asker: Asker): Promise<void> {
  await callHook(hooks, 'beforeDelete', { ...askerIn(asker), id });
}

/** The request as its entry is to be read: what `transform` makes of that, its version does not tell. */
export function asRead(hooks: TypeHooks | undefined, request: EntryRequest): EntryRequest {
  return request.knownTags && hasHook(hooks, 'transform') ? { ...request, knownTags: undefined } : request;
}

/** Runs `transform` over the entry of an answer; the answer itself where there is no such hook. */
export async function transformEntry(
  hooks: TypeHooks | undefined,
  answer: EntryAnswer,
  asker: Asker,
): Promise<EntryAnswer> {
  if (!hasHook(hooks, 'transform')) return answer;
  return answer.with(await callHook(hooks, 'transform', { ...askerIn(asker), entry: answer.entry() }));
}

/** Runs `transform` over each entry of a list. */
export async function transformList(
  hooks: TypeHooks | undefined,
  answer: ListAnswer,
  asker: Asker,
): Promise<ListAnswer> {
  if (!hasHook(hooks, 'transform')) return answer;
  const changed: unknown[] = [];
  for (const entry of answer.entries()) changed.push(await callHook(hooks, 'transform', { ...askerIn(asker), entry }));
  return answer.with(changed);
}
