/**
 * Read-your-writes consistency with replicas of the database. The response to each write has the position of the database's log, in a
 * header and a cookie. Requests that send it back read only from replicas that have reached that position.
 */
import type { Context, Middleware } from 'koa';
import { LATEST, type Position, ReadPoint } from '../base/read-point.ts';
import {
  createPositions,
  isReadRequest,
  laterOf,
  mayHaveWritten,
  POSITION_HEADER,
  type PositionOptions,
} from './position-tokens.ts';
import { readPoint } from './state.ts';

interface ReplicaPositions extends PositionOptions {
  /** The position of the log, including everything that was committed before the call. */
  readonly latestPosition: () => Promise<Position>;
}

/** Middleware that reads the position of requests, and sets that of responses. */
export function contentPosition({ latestPosition, ...options }: ReplicaPositions): Middleware {
  const positions = createPositions(options);

  const answerRead = async (ctx: Context, next: () => Promise<unknown>): Promise<void> => {
    const { position: given, hasHeader, hasCookie } = positions.get(ctx);
    const point = new ReadPoint(given, hasHeader || hasCookie);
    readPoint.set(ctx, point);
    await next();
    if (point.server === undefined) return;
    // Caches must distinguish requests by their position: otherwise they might serve a state that is too old.
    ctx.vary(POSITION_HEADER);
    if (!point.isTracked) return;
    const seen = point.server === null ? await latestPosition() : point.seen;
    const position = laterOf(given === LATEST ? undefined : given, seen);
    if (position !== undefined) positions.set(ctx, position, hasCookie);
  };

  const answerWrite = async (ctx: Context, next: () => Promise<unknown>): Promise<void> => {
    await next();
    // Also after a failure, so that checking its outcome does not read an old state.
    if (mayHaveWritten(ctx)) positions.set(ctx, await latestPosition(), true);
  };

  return (ctx, next) => (isReadRequest(ctx) ? answerRead(ctx, next) : answerWrite(ctx, next));
}
