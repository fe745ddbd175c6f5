/** The audit, for what is no write of an entry. */
import type { Context } from 'koa';
import { ForbiddenError } from '../contract/errors.ts';

export interface Audit {
  /** Runs `work` as part of a request: what it writes was done by its caller, from its address. */
  inRequest<T>(ctx: Context, work: () => Promise<T>): Promise<T>;
  /** Records a sign-in before it is answered. */
  signedIn(userId: number, by: string): Promise<void>;
  /** Counts a refusal: they are recorded together, once a minute. */
  refused(event: 'refused' | 'sign-in.failed', permission: string | undefined): void;
}

/** Counts a refusal that is only a part of an answer, such as that of a field of GraphQL or of an agent's tool. */
export function countRefusal(audit: Pick<Audit, 'refused'> | undefined, error: unknown, permission?: string): void {
  if (error instanceof ForbiddenError) audit?.refused('refused', permission);
}
