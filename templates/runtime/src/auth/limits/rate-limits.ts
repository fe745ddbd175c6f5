/** Keeps passwords and codes from being guessed: so many tries a minute for an address, and for an account. */
import type { Context } from 'koa';
import type { Database } from '../../database/database.ts';
import { HttpError } from '../../errors.ts';
import { hashSecret } from '../secrets.ts';
import { normaliseAddress } from './address.ts';
import { databaseTries } from './database-tries.ts';
import { memoryTries } from './memory-tries.ts';

/** What is tried: each has its own count. */
type Attempt = 'sign-in' | 'register' | 'password' | 'reset' | 'mail' | 'confirm';

export interface RateLimits {
  /**
   * Counts a try of the caller, and of the account that it is about, by whatever names it. Throws HttpError 429 where
   * there were too many.
   */
  take(ctx: Context, attempt: Attempt, account?: string): Promise<void>;
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

/** `limit` is in tries a minute; 0: there is none. Shared between instances where the database is. */
export function createRateLimits(database: Database, limit: number): RateLimits {
  if (limit === 0) return { take: () => Promise.resolve() };
  const tries = database.dialect.name === 'sqlite' ? memoryTries(limit) : databaseTries(database, limit);
  const take = async (name: string): Promise<void> => {
    const milliseconds = await tries.add(name);
    if (milliseconds > 0) throw tooMany(milliseconds);
  };
  return {
    async take(ctx, attempt, account) {
      await take(`${attempt} address ${normaliseAddress(ctx.ip)}`);
      // Hashed: names of accounts are as long as callers like, and nobody else's business.
      if (account !== undefined) await take(`${attempt} account ${hashSecret(account)}`);
    },
  };
}
