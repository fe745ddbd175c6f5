/** Calls the project's hooks, independently of the type. */
import type { CollectionHooks } from './hook-types.ts';
import type { Transaction } from '../database/write-plan.ts';
import type { EntryAnswer, ListAnswer } from '../query/answer.ts';
import type { CallContext, EntryRequest } from '../query/entry-request.ts';

/** Hooks of any content type. Declared as methods, so that the typed hooks of each type are assignable. */
export type TypeHooks = CollectionHooks<never, never, never, never>;

/** The event that is passed to a hook, before `bindHooks` adds the context. */
export interface RawEvent extends CallContext {
  readonly scope?: WriteScope;
  readonly [name: string]: unknown;
}

/** The transaction in which a hook runs. */
export interface WriteScope {
  readonly tx: Transaction;
  /** Work to do after the commit. */
  readonly later: (() => Promise<void>)[];
}

type AnyHook = (event: RawEvent) => unknown;

export function hasHook(hooks: TypeHooks | undefined, name: string): boolean {
  return (hooks as Record<string, unknown> | undefined)?.[name] !== undefined;
}

/** Calls a hook, if it exists, and returns its result. */
export async function callHook(hooks: TypeHooks | undefined, name: string, event: RawEvent): Promise<unknown> {
  return (hooks as Record<string, AnyHook | undefined> | undefined)?.[name]?.call(hooks, event);
}

/** Copies the caller and the request's id, without the rest of the request. */
export function copyCallContext({ caller, requestId }: CallContext): CallContext {
  return { caller, requestId };
}

/** The path of a member without a value; undefined if all have one. */
function pathWithoutValue(value: unknown, path: readonly string[] = []): readonly string[] | undefined {
  if (value === undefined) return path;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const found = pathWithoutValue(member, [...path, name]);
    if (found) return found;
  }
  return undefined;
}

/**
 * The filters that `beforeFind` returns; undefined if there are none. Throws for anything that would not filter at all, which can't be
 * the intention: a value such as `false`, and a condition without a value, such as the `userId` of a caller who is not a user.
 */
export async function runBeforeFind(hooks: TypeHooks | undefined, call: CallContext): Promise<object | undefined> {
  const filters = await callHook(hooks, 'beforeFind', { ...copyCallContext(call) });
  if (filters === undefined || filters === null) return undefined;
  if (typeof filters !== 'object') throw new Error(`beforeFind returned ${typeof filters} instead of filters`);
  const path = pathWithoutValue(filters);
  if (path) throw new Error(`beforeFind returned filters in which ${path.join('.')} is undefined`);
  return filters;
}

/** Runs a hook that may return other data, and returns the data to use. */
export async function runBefore(
  hooks: TypeHooks | undefined,
  name: string,
  event: RawEvent & { readonly data: unknown },
): Promise<unknown> {
  return (await callHook(hooks, name, event)) ?? event.data;
}

export async function runBeforeDelete(hooks: TypeHooks | undefined, id: number, call: CallContext): Promise<void> {
  await callHook(hooks, 'beforeDelete', { ...copyCallContext(call), id });
}

/** The request without ETags if there is a `transform` hook, because the version of an entry does not determine its result. */
export function withoutTagsIfTransformed(hooks: TypeHooks | undefined, request: EntryRequest): EntryRequest {
  return request.isKnown && hasHook(hooks, 'transform') ? { ...request, isKnown: undefined } : request;
}

/** Runs `transform` on the entry of an answer; returns the answer itself if there is no such hook. */
export async function transformEntry(
  hooks: TypeHooks | undefined,
  answer: EntryAnswer,
  call: CallContext,
): Promise<EntryAnswer> {
  if (!hasHook(hooks, 'transform')) return answer;
  return answer.with(await callHook(hooks, 'transform', { ...copyCallContext(call), entry: answer.entry() }));
}

/** Runs `transform` on each entry of a list. */
export async function transformList(
  hooks: TypeHooks | undefined,
  answer: ListAnswer,
  call: CallContext,
): Promise<ListAnswer> {
  if (!hasHook(hooks, 'transform')) return answer;
  const changed: unknown[] = [];
  for (const entry of answer.entries()) {
    changed.push(await callHook(hooks, 'transform', { ...copyCallContext(call), entry }));
  }
  return answer.with(changed);
}
