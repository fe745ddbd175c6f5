/**
 * Requests that see what their caller has written, where the database is a cluster whose nodes may be behind one another: each answer to
 * a write says that there was one, in a header and in a cookie, and whoever sends that along within a minute is answered once the node of
 * this server has caught up with the others.
 */
import type { Middleware } from 'koa';
import { LATEST } from '../base/read-point.ts';
import {
  createPositions,
  isReadRequest,
  mayHaveWritten,
  POSITION_HEADER,
  type PositionOptions,
} from './position-tokens.ts';

interface ClusterPositions extends PositionOptions {
  /** Waits until the node has all that was committed before. */
  readonly catchUp: () => Promise<void>;
}

export interface OwnWrites {
  /** Says so with each answer, also those that say what went wrong. */
  readonly tell: Middleware;
  /** Waits for the node, before anything is read. */
  readonly wait: Middleware;
}

export function ownWrites({ catchUp, ...options }: ClusterPositions): OwnWrites {
  const positions = createPositions(options);
  return {
    async tell(ctx, next) {
      await next();
      if (!isReadRequest(ctx)) {
        if (mayHaveWritten(ctx)) positions.tell(ctx, LATEST, true);
        return;
      }
      ctx.vary(POSITION_HEADER);
      // Who sends the header wants to be shown no older state than before, on whichever node.
      if (positions.given(ctx).hasHeader) positions.tell(ctx, LATEST, false);
    },
    async wait(ctx, next) {
      if (positions.given(ctx).position !== undefined) await catchUp();
      await next();
    },
  };
}
