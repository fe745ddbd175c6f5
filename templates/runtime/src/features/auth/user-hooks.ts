/** Runs the project's user hooks. */
import { isDeepStrictEqual } from 'node:util';
import { HttpError } from '../../contract/errors.ts';
import { sentValues } from '../../entries/entry-input.ts';
import { trustOf } from '../../entries/before-hook.ts';
import { hookData } from '../../entries/hook-data.ts';
import type { Trust } from '../../content/relations/check-targets.ts';
import { callHook, copyCallContext, hasHook, runBefore } from '../../entries/hooks.ts';
import type { Executor } from '../../database/executor.ts';
import type { CallContext } from '../../query/entry-request.ts';
import { EMPTY_QUERY } from '../../query/entry-query.ts';
import type { Account } from './accounts.ts';
import { checkBody, userFields } from './bodies.ts';
import { callerOfAccount } from './caller-of-account.ts';
import type { AuthContext } from './context.ts';
import type { SignInBy } from './hook-types.ts';
import { parsedEntry } from '../../query/version-tag.ts';

type Values = Readonly<Record<string, unknown>>;

/** Values of a user after the before-hooks. */
export interface HookedValues {
  readonly values: Values;
  /** The role was set by a hook, so the caller needs no permission to grant it. */
  readonly trustsRole: boolean;
  /** Other values that were set by hooks. */
  readonly trusts?: Trust;
}

/**
 * The validated values of a body after the hooks `names`. Values that hooks return replace those of the body, and the result is
 * validated again. Throws ValidationError.
 */
export async function withUserHooks(
  context: AuthContext,
  names: readonly string[],
  event: CallContext & { readonly id?: number; readonly values: Values },
): Promise<HookedValues> {
  const {
    hooked: { hooks },
    types,
  } = context;
  const { id, values } = event;
  const called = names.filter((name) => hasHook(hooks, name));
  if (called.length === 0) return { values, trustsRole: false };
  let data = hookData(types, context.userType.attributes, values);
  const requested = structuredClone(data);
  for (const name of called) {
    const changed = await runBefore(hooks, name, { ...copyCallContext(event), ...(id !== undefined && { id }), data });
    data = { ...data, ...sentValues(changed) };
  }
  const operation = id === undefined ? 'create' : 'update';
  const { managed } = userFields(context);
  const checked = checkBody(managed, data, { operation, unknownKeys: 'reject', notWritable: 'taken', types });
  return {
    values: checked,
    trustsRole: !isDeepStrictEqual(data['role'], requested['role']),
    trusts: trustOf(values, requested, data),
  };
}

async function runBeforeSignIn(
  context: AuthContext,
  account: Account,
  { by, requestId, executor }: { readonly by: SignInBy; readonly executor: Executor } & Pick<CallContext, 'requestId'>,
): Promise<void> {
  const { hooks, reader, type, server } = context.hooked;
  const whole = await reader.check(type, { caller: server, query: EMPTY_QUERY });
  const user = parsedEntry(await reader.entry(executor, whole, account.id));
  await callHook(hooks, 'beforeSignIn', { caller: callerOfAccount(context, account), requestId, user, by });
}

/** Calls `beforeSignIn` and rethrows its errors. */
export async function checkSignIn(
  context: AuthContext,
  account: Account,
  {
    by,
    requestId,
    executor = context.database,
  }: { readonly by: SignInBy; readonly executor?: Executor } & Pick<CallContext, 'requestId'>,
): Promise<void> {
  const { hooks } = context.hooked;
  if (hasHook(hooks, 'beforeSignIn')) await runBeforeSignIn(context, account, { by, requestId, executor });
  if (by !== 'refresh' && by !== 'registration') await context.audit?.signedIn(account.id, by);
}

/** Whether a new user gets a session: false if `beforeSignIn` refuses. Rethrows errors other than HTTP 4xx. */
export async function maySignInAtOnce(
  context: AuthContext,
  account: Account,
  within: { readonly executor: Executor } & Pick<CallContext, 'requestId'>,
): Promise<boolean> {
  try {
    await checkSignIn(context, account, { ...within, by: 'registration' });
    return true;
  } catch (error) {
    if (error instanceof HttpError && error.status < 500) return false;
    throw error;
  }
}
