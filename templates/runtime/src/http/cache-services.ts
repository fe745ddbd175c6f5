/** How caches are told which tags no longer hold, each in its own way. */
import type { Webhook } from '../contract/events/webhook.ts';

/** A request that purges tags. */
export interface PurgeRequest {
  readonly url: URL;
  readonly method: 'POST' | 'PURGE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface CacheService {
  /** How many tags a request may name. */
  readonly most: number;
  /** Whether it is usually in the machine's own networks. */
  readonly isNear: boolean;
  request(tags: readonly string[]): PurgeRequest;
}

/** What is wrong with the values of variables, by their names. */
export type CacheProblems = readonly (readonly [variable: string, problem: string])[];

/** The service of a receiver with a cache of its own kind. */
export type OpenCacheService = (
  webhook: Webhook,
  valueOf: (name: string) => string | undefined,
) => CacheService | CacheProblems;
