/** Who sends a request that lasts. */
import type { Caller } from '../contract/policy/caller.ts';

export interface CallerSource {
  /** The same for requests with the same credentials. */
  readonly key: string;
  /**
   * The caller with its present permissions. Throws UnauthorizedError once the credentials have expired or were revoked, at most a
   * second late.
   */
  caller(): Promise<Caller>;
}
