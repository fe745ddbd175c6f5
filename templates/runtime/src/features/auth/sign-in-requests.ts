/** Requests that sign in with a password, within the limits of tries. */
import type { Context } from 'koa';
import { clientOf } from '../../base/client.ts';
import { readObject } from '../../http/body.ts';
import { requestId } from '../../http/state.ts';
import { type Account, normaliseEmail } from './accounts.ts';
import { checkBody, signInFields } from './bodies.ts';
import type { AuthContext } from './context.ts';
import { checkCredentials, type Credentials } from './sign-in.ts';

/** Who waits, and for what in the log. */
export function requestIn(ctx: Context) {
  return { client: clientOf(ctx), requestId: requestId.get(ctx) };
}

/** Name and password of the body. Throws ValidationError. */
export async function readSignIn(ctx: Context): Promise<Pick<Credentials, 'identifier' | 'password'>> {
  const { identifier, password } = checkBody(signInFields, await readObject(ctx));
  return { identifier: String(identifier), password: String(password) };
}

/** The account that signs in. Throws HttpError 400 where it may not, and 429. */
export async function accountOf(
  context: AuthContext,
  ctx: Context,
  { identifier, password }: Pick<Credentials, 'identifier' | 'password'>,
): Promise<Account> {
  const name = normaliseEmail(identifier);
  await context.limits.take(ctx, 'sign-in', name);
  const account = await checkCredentials(context, { identifier, password, ...requestIn(ctx) });
  await context.limits.succeeded(ctx, 'sign-in', name);
  return account;
}
