/**
 * Reads that see what their caller has written, where replicas of the database answer: each answer to a write says how far the log of
 * the database was, in a header and in a cookie, and whoever sends that along reads from a replica only once it has got there.
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
  /** Where the log is after all that was done before the call. */
  readonly latestPosition: () => Promise<Position>;
}

/** The middleware that reads positions of requests, and writes those of answers. */
export function contentPosition({ latestPosition, ...options }: ReplicaPositions): Middleware {
  const positions = createPositions(options);

  const answerRead = async (ctx: Context, next: () => Promise<unknown>): Promise<void> => {
    const { position: given, hasHeader, hasCookie } = positions.given(ctx);
    const point = new ReadPoint(given, hasHeader || hasCookie);
    readPoint.set(ctx, point);
    await next();
    if (point.server === undefined) return;
    // What is answered to one who has seen more, no cache gives to one who sends a position.
    ctx.vary(POSITION_HEADER);
    if (!point.isTracked) return;
    const seen = point.server === null ? await latestPosition() : point.seen;
    const position = laterOf(given === LATEST ? undefined : given, seen);
    if (position !== undefined) positions.tell(ctx, position, hasCookie);
  };

  const answerWrite = async (ctx: Context, next: () => Promise<unknown>): Promise<void> => {
    await next();
    // Whoever looks after a failure must not look at an old state.
    if (mayHaveWritten(ctx)) positions.tell(ctx, await latestPosition(), true);
  };

  return (ctx, next) => (isReadRequest(ctx) ? answerRead(ctx, next) : answerWrite(ctx, next));
}
