/** Carries out requests with an `Idempotency-Key` once, and answers their repetitions as the first time. */
import { createHmac, hash } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import {
  ConflictError,
  HttpError,
  ServiceUnavailableError,
  UnknownOutcomeError,
  UnprocessableError,
} from '../../contract/errors.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import type { Database } from '../../database/database.ts';
import { KeyTakenError } from '../../query/request-key.ts';
import { errorBody } from '../error-envelope.ts';
import { callerOf } from '../request.ts';
import { bodyWatch, requestKey } from '../state.ts';
import { keyIn } from './key-header.ts';
import { KeyedRequest } from './keyed-request.ts';
import { type KeptAnswer, type KeyRow, keyRows } from './key-rows.ts';
import { Payload } from './payload.ts';

/** 132 bits, in characters: short keys make a small index. */
const HASH_LENGTH = 22;
/** In seconds. */
const RETRY_AFTER = 1;
/** For how long a request without an answer counts as running, in milliseconds. */
const RUNNING = 60_000;

/** Refusals that may end without a change of the request: the same request is tried again. */
const PASSING: ReadonlySet<number> = new Set([401, 408, 425, 429, 499]);

function nameOfCaller({ kind, userId, tokenId }: Caller): string {
  return `${kind} ${tokenId ?? userId ?? ''}`;
}

/** The name of a key: the same key of another caller, or for another path, is another one. */
function nameOf(ctx: Context): string {
  const key = keyIn(ctx.get('Idempotency-Key'));
  const parts = [nameOfCaller(callerOf(ctx)), ctx.method, ctx.path, key];
  return hash('sha256', JSON.stringify(parts), 'base64url').slice(0, HASH_LENGTH);
}

function answerOf(ctx: Context): KeptAnswer {
  const { status, body } = ctx;
  const etag = ctx.response.get('ETag');
  const isText = typeof body === 'string' || Buffer.isBuffer(body);
  const text = isText ? String(body) : JSON.stringify(body);
  return { status, etag: etag === '' ? undefined : etag, body: body === null || body === undefined ? '' : text };
}

function stillRunning(): ConflictError {
  return new ConflictError('The request with this Idempotency-Key is still being carried out', RETRY_AFTER);
}

/** Throws for another request with the same key, and if the answer is not known. */
async function repeat(ctx: Context, { payload, answer, since }: KeyRow, own: Payload): Promise<void> {
  if (!(await own.equals(payload))) {
    throw new UnprocessableError('This Idempotency-Key was used for another request: use a new one');
  }
  if (!answer) {
    if (Date.now() - since < RUNNING) throw stillRunning();
    throw new ConflictError(
      'The request with this Idempotency-Key was carried out, but its answer is not known: read what it has changed',
    );
  }
  ctx.status = answer.status;
  ctx.set('Idempotency-Replayed', 'true');
  if (answer.etag !== undefined) ctx.set('ETag', answer.etag);
  ctx.body = answer.body === '' ? null : answer.body;
}

function isDecided(error: unknown): error is HttpError {
  return error instanceof HttpError && error.status >= 400 && error.status < 500 && !PASSING.has(error.status);
}

/** `secret`: one that all instances share. */
export function keyedRequests(database: Database, secret: string): Middleware {
  const rows = keyRows(database);
  const payloadSecret = createHmac('sha256', secret).update('idempotency keys').digest();
  /** The names of the keys of this process's requests. */
  const running = new Set<string>();

  async function repeatTaken(ctx: Context, name: string, payload: Payload): Promise<void> {
    const row = await rows.find(name);
    if (!row) throw new ServiceUnavailableError(RETRY_AFTER, new KeyTakenError());
    await repeat(ctx, row, payload);
  }

  async function first(ctx: Context, next: () => Promise<unknown>, name: string, payload: Payload): Promise<void> {
    const request = new KeyedRequest(name, payload, rows);
    bodyWatch.set(ctx, payload);
    requestKey.set(ctx, request);
    try {
      await next();
    } catch (error) {
      await request.fail(error);
      if (isDecided(error) && payload.isComplete) {
        const isKept = await request.keep({ status: error.status, etag: undefined, body: errorBody(ctx, error) });
        if (!isKept) return repeatTaken(ctx, name, payload);
      }
      throw error;
    }
    await request.settle(answerOf(ctx));
  }

  return async (ctx, next) => {
    const name = nameOf(ctx);
    if (running.has(name)) throw stillRunning();
    running.add(name);
    const payload = new Payload(ctx, payloadSecret);
    try {
      const row = await rows.find(name);
      await (row ? repeat(ctx, row, payload) : first(ctx, next, name, payload));
    } catch (error) {
      if (error instanceof UnknownOutcomeError) throw new UnknownOutcomeError(error.cause, RETRY_AFTER);
      if (!(error instanceof KeyTakenError)) throw error;
      await repeatTaken(ctx, name, payload);
    } finally {
      running.delete(name);
    }
  };
}
