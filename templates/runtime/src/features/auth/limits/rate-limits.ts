/**
 * Rate limits against guessing of passwords and codes. Too many attempts from one address, or from one address on one
 * account, are rejected. Attempts on an account from many addresses are only delayed: rejecting them would let anyone
 * lock the owner out.
 */
import type { Context } from 'koa';
import { tooManyRequests } from '../../../base/too-many-requests.ts';
import { ClientGoneError } from '../../../contract/errors.ts';
import type { Client } from '../../../base/client.ts';
import { clientOf } from '../../../http/client.ts';
import { hashSecret } from '../secrets.ts';
import { clientAddress } from '../../../http/address.ts';
import type { AttemptCounter } from '../../../http/limits/attempt-counter.ts';

/** The kinds of attempts, which are counted separately. */
type Attempt = 'sign-in' | 'register' | 'password' | 'reset' | 'mail' | 'confirm';

export interface RateLimits {
  /**
   * Counts an attempt of the caller on an account (any text that identifies it). Resolves after a delay if there were
   * many attempts on the account. Throws HttpError 429 over the limit, and ClientGoneError.
   */
  take(ctx: Context, attempt: Attempt, account?: string): Promise<void>;
  /** Resets the counters of an account, for this address and in total, after a successful attempt. */
  succeeded(ctx: Context, attempt: Attempt, account: string): Promise<void>;
}

/** Window per address, in seconds, for `limit` attempts. */
const ADDRESS_SPAN = 60;
/** Window per address and account, in seconds, and the multiple of `limit` in it: bounds slow guessing, too. */
const PAIR_SPAN = 15 * 60;
const PAIR_FACTOR = 3;
/** Window per account, in seconds: the first `limit` attempts are not delayed. */
const ACCOUNT_SPAN = 10 * 60;
/** Exponential delay of further attempts, in milliseconds: the first, and the maximum. */
const FIRST_DELAY = 250;
const LONGEST_DELAY = 5000;

/** The delay in milliseconds of the attempt that is the `beyond`-th over the limit. */
function delayOf(beyond: number): number {
  return beyond <= 0 ? 0 : Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** (beyond - 1));
}

/** Throws ClientGoneError as soon as the client disconnects. */
function wait(milliseconds: number, client: Client): Promise<void> {
  if (milliseconds === 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      unsubscribe();
      resolve();
    }, milliseconds);
    const unsubscribe = client.onGone(() => {
      clearTimeout(timer);
      reject(new ClientGoneError());
    });
  });
}

/** `limit`: attempts per minute and address. */
export function rateLimits(counter: AttemptCounter, limit: number): RateLimits {
  const atMost = async (most: number, name: string, seconds: number): Promise<void> => {
    const counted = await counter.add(name, seconds);
    if (counted.attempts > most) throw tooManyRequests(counted.endsIn);
  };
  // Hashed, since the text can be arbitrarily long, and is private.
  const accountName = (attempt: Attempt, account: string) => `${attempt} account ${hashSecret(account)}`;
  const pairName = (ctx: Context, attempt: Attempt, account: string) =>
    `${attempt} pair ${hashSecret(JSON.stringify([clientAddress(ctx), account]))}`;
  return {
    async take(ctx, attempt, account) {
      await atMost(limit, `${attempt} address ${clientAddress(ctx)}`, ADDRESS_SPAN);
      if (account === undefined) return;
      // Each attempt sends a mail, so limiting them per account is safe: it locks nobody out.
      if (attempt === 'mail') return atMost(limit, accountName(attempt, account), ADDRESS_SPAN);
      await atMost(limit * PAIR_FACTOR, pairName(ctx, attempt, account), PAIR_SPAN);
      const { attempts } = await counter.add(accountName(attempt, account), ACCOUNT_SPAN);
      await wait(delayOf(attempts - limit), clientOf(ctx));
    },
    async succeeded(ctx, attempt, account) {
      await counter.reset(pairName(ctx, attempt, account));
      await counter.reset(accountName(attempt, account));
    },
  };
}

/** The rate limits of a server; none if `limit` is 0. */
export function createRateLimits(counter: AttemptCounter, limit: number): RateLimits {
  if (limit === 0) return { take: () => Promise.resolve(), succeeded: () => Promise.resolve() };
  return rateLimits(counter, limit);
}
