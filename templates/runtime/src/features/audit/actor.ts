/** Who does something, from where. */
import type { Context } from 'koa';
import type { AuditActor } from '../../contract/audit/audit-log.ts';
import { UnauthorizedError } from '../../contract/errors.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import * as state from '../../http/state.ts';

/** In characters. A proxy may pass on other texts than addresses. */
const LONGEST_ADDRESS = 64;

export interface Doer {
  readonly actor: AuditActor;
  readonly requestId: string | undefined;
  readonly address: string | undefined;
}

export function actorOf({ kind, userId, tokenId }: Caller): AuditActor {
  const id = kind === 'token' ? tokenId : userId;
  return id === undefined ? { kind } : { kind, id };
}

/** Who sends a request; `public` while that is not known. */
export function doerOf(ctx: Context): Doer {
  const caller = state.caller.get(ctx);
  const isKnown = caller !== undefined && !(caller instanceof UnauthorizedError);
  return {
    actor: isKnown ? actorOf(caller) : { kind: 'public' },
    requestId: state.requestId.get(ctx),
    address: ctx.ip === '' ? undefined : ctx.ip.slice(0, LONGEST_ADDRESS),
  };
}
