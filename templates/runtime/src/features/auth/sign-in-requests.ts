/** Requests that sign in with a password, with rate limits. */
import type { Context } from 'koa';
import { clientOf } from '../../http/client.ts';
import { readObject } from '../../http/body.ts';
import { requestId } from '../../http/state.ts';
import { type Account, normalizeEmail } from './accounts.ts';
import { checkBody, signInFields } from './bodies.ts';
import type { AuthContext } from './context.ts';
import { checkCredentials, type Credentials } from './sign-in.ts';

/** The client that waits for the response, and the request id for logs. */
export function requestIn(ctx: Context) {
  return { client: clientOf(ctx), requestId: requestId.get(ctx) };
}

/** Reads name and password from the body. Throws ValidationError. */
export async function readSignIn(ctx: Context): Promise<Pick<Credentials, 'identifier' | 'password'>> {
  const { identifier, password } = checkBody(signInFields, await readObject(ctx));
  return { identifier: String(identifier), password: String(password) };
}

/** The account that signs in. Throws HttpError 400 if it may not, and 429 over the rate limit. */
export async function accountOf(
  context: AuthContext,
  ctx: Context,
  { identifier, password }: Pick<Credentials, 'identifier' | 'password'>,
): Promise<Account> {
  const name = normalizeEmail(identifier);
  await context.limits.take(ctx, 'sign-in', name);
  const account = await checkCredentials(context, { identifier, password, ...requestIn(ctx) });
  await context.limits.succeeded(ctx, 'sign-in', name);
  return account;
}
