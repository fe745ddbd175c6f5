/**
 * Keeps passwords and codes from being guessed. What is too many from one address, or from one address for one account, is refused.
 * An account alone is never refused, as else anybody could lock its owner out: its tries become slow.
 */
import type { Context } from 'koa';
import type { Database } from '../../../database/database.ts';
import { ClientGoneError, HttpError } from '../../../contract/errors.ts';
import { clientOf, type Client } from '../../../base/client.ts';
import { hashSecret } from '../secrets.ts';
import { normaliseAddress } from '../../../http/address.ts';
import { databaseTries } from './database-tries.ts';
import { memoryTries } from './memory-tries.ts';
import type { Tries } from './tries.ts';

/** What is tried: each has its own count. */
type Attempt = 'sign-in' | 'register' | 'password' | 'reset' | 'mail' | 'confirm';

export interface RateLimits {
  /**
   * Counts a try of the caller, and of the account that it is about, by whatever names it; resolves after a while where the
   * account was tried often. Throws HttpError 429 where there were too many, and ClientGoneError.
   */
  take(ctx: Context, attempt: Attempt, account?: string): Promise<void>;
  /** Forgets the tries for an account, from this address and from all together, after one that was good. */
  succeeded(ctx: Context, attempt: Attempt, account: string): Promise<void>;
}

/** Of an address, in seconds: `limit` tries. */
const ADDRESS_SPAN = 60;
/** Of an address and an account together, in seconds, and how many times `limit`: slow guessing ends, too. */
const PAIR_SPAN = 15 * 60;
const PAIR_FACTOR = 3;
/** Of an account, in seconds: `limit` tries are as fast as ever. */
const ACCOUNT_SPAN = 10 * 60;
/** The delay of the first try after those, in milliseconds; each further one takes twice as long, and none longer than the last. */
const FIRST_DELAY = 250;
const LONGEST_DELAY = 5000;

/** How long a try waits, in milliseconds, of which there were `beyond` more than may be without. */
function delayOf(beyond: number): number {
  return beyond <= 0 ? 0 : Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** (beyond - 1));
}

/** Throws ClientGoneError once nobody waits. */
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

function tooMany(milliseconds: number): HttpError {
  const seconds = Math.ceil(milliseconds / 1000);
  return new HttpError(
    429,
    'RateLimitError',
    'Too many requests, please try again later.',
    {},
    {
      'Retry-After': String(seconds),
    },
  );
}

/** `limit` is in tries a minute of one address. */
export function rateLimits(tries: Tries, limit: number): RateLimits {
  const atMost = async (most: number, name: string, seconds: number): Promise<void> => {
    const counted = await tries.add(name, seconds);
    if (counted.tries > most) throw tooMany(counted.endsIn);
  };
  const addressOf = (ctx: Context) => normaliseAddress(ctx.ip);
  // Hashed: names of accounts are as long as callers like, and nobody else's business.
  const accountName = (attempt: Attempt, account: string) => `${attempt} account ${hashSecret(account)}`;
  const pairName = (ctx: Context, attempt: Attempt, account: string) =>
    `${attempt} pair ${hashSecret(JSON.stringify([addressOf(ctx), account]))}`;
  return {
    async take(ctx, attempt, account) {
      await atMost(limit, `${attempt} address ${addressOf(ctx)}`, ADDRESS_SPAN);
      if (account === undefined) return;
      // Each of these is a mail to somebody: that nobody gets another one for a minute locks nobody out.
      if (attempt === 'mail') return atMost(limit, accountName(attempt, account), ADDRESS_SPAN);
      await atMost(limit * PAIR_FACTOR, pairName(ctx, attempt, account), PAIR_SPAN);
      const { tries: count } = await tries.add(accountName(attempt, account), ACCOUNT_SPAN);
      await wait(delayOf(count - limit), clientOf(ctx));
    },
    async succeeded(ctx, attempt, account) {
      await tries.reset(pairName(ctx, attempt, account));
      await tries.reset(accountName(attempt, account));
    },
  };
}

/** Of a server: `limit` 0 is none. Shared between instances where the database is. */
export function createRateLimits(database: Database, limit: number): RateLimits {
  if (limit === 0) return { take: () => Promise.resolve(), succeeded: () => Promise.resolve() };
  return rateLimits(database.dialect.name === 'sqlite' ? memoryTries() : databaseTries(database), limit);
}
