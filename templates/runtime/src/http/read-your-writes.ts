/**
 * Read-your-writes consistency with a database cluster whose nodes may lag behind each other. The response to each write has a token,
 * in a header and a cookie. Requests that send it back within a minute wait until this server's node has caught up with the others.
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
  /** Waits until the node has everything that was committed before the call. */
  readonly catchUp: () => Promise<void>;
}

export interface ReadYourWrites {
  /** Adds the token to responses, including error responses. */
  readonly addToken: Middleware;
  /** Makes requests with a token wait for the node, before anything is read. */
  readonly waitForNode: Middleware;
}

export function readYourWrites({ catchUp, ...options }: ClusterPositions): ReadYourWrites {
  const positions = createPositions(options);
  return {
    async addToken(ctx, next) {
      await next();
      if (!isReadRequest(ctx)) {
        if (mayHaveWritten(ctx)) positions.set(ctx, LATEST, true);
        return;
      }
      ctx.vary(POSITION_HEADER);
      // A client that sends the header must not see an older state later, on whichever node.
      if (positions.get(ctx).hasHeader) positions.set(ctx, LATEST, false);
    },
    async waitForNode(ctx, next) {
      if (positions.get(ctx).position !== undefined) await catchUp();
      await next();
    },
  };
}
