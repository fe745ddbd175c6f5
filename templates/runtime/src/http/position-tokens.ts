/** Tokens in which clients pass the position of the database's log from one request to the next, as a header and a cookie. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';
import { LATEST, type Position } from '../base/read-point.ts';

/** Header of requests and responses. */
export const POSITION_HEADER = 'X-Content-Position';

/** How long a token is valid, in seconds: replicas that lag behind further are not read anyway. */
const LIFETIME = 3600;
/** How long a token of the latest position is valid, in seconds: only the primary can serve reads with such a token. */
const LATEST_LIFETIME = 60;
/** Characters of a signature: 96 bits. */
const SIGNATURE_LENGTH = 16;
const FORM = /^(?<position>[0-9a-z]{1,13})\.(?<time>[0-9a-z]{1,8})\.(?<signature>[\w-]{16})$/u;
/** Stands for `LATEST` in a token. */
const LATEST_NAME = 'latest';
const RADIX = 36;

/** Converts positions to signed tokens and back. */
export interface PositionTokens {
  write(position: Position): string;
  /** Undefined for a token that is expired, or not signed with the same secret. */
  read(token: string): Position | undefined;
}

/** Tokens are signed, so that clients can't make up positions that no replica has reached, to put load on the primary. */
export function createPositionTokens(secret: string, now: () => number = Date.now): PositionTokens {
  const sign = (text: string): string =>
    createHmac('sha256', secret).update(`content position ${text}`).digest('base64url').slice(0, SIGNATURE_LENGTH);
  const seconds = (): number => Math.floor(now() / 1000);
  return {
    write(position) {
      const text = `${position === LATEST ? LATEST_NAME : position.toString(RADIX)}.${seconds().toString(RADIX)}`;
      return `${text}.${sign(text)}`;
    },
    read(token) {
      const { position = '', time = '', signature = '' } = FORM.exec(token)?.groups ?? {};
      if (signature === '') return undefined;
      if (!timingSafeEqual(Buffer.from(sign(`${position}.${time}`)), Buffer.from(signature))) return undefined;
      const isLatest = position === LATEST_NAME;
      const age = seconds() - Number.parseInt(time, RADIX);
      if (age > (isLatest ? LATEST_LIFETIME : LIFETIME)) return undefined;
      return isLatest ? LATEST : Number.parseInt(position, RADIX);
    },
  };
}

export interface PositionOptions {
  /** The project's name. */
  readonly name: string;
  /** Must be the same in all instances. */
  readonly secret: string;
}

/** The position in a request. */
export interface GivenPosition {
  readonly position: Position | undefined;
  readonly hasHeader: boolean;
  readonly hasCookie: boolean;
}

/** Reads the position of a request, and sets that of a response. */
export interface Positions {
  get(ctx: Context): GivenPosition;
  set(ctx: Context, position: Position, withCookie: boolean): void;
}

/** The later of two positions. */
export function laterOf(a: Position | undefined, b: Position | undefined): Position | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

export function createPositions({ name, secret }: PositionOptions): Positions {
  const tokens = createPositionTokens(secret);
  // Cookies are shared by all ports of a host, and each port may have the server of another project.
  const cookieName = `${name.replaceAll(/[^\w-]/gu, '_')}_position`;
  return {
    get(ctx) {
      const header = ctx.get(POSITION_HEADER);
      const cookie = ctx.get('Cookie') === '' ? undefined : ctx.cookies.get(cookieName);
      const position = laterOf(tokens.read(header), cookie === undefined ? undefined : tokens.read(cookie));
      return { position, hasHeader: header !== '', hasCookie: cookie !== undefined };
    },
    set(ctx, position, withCookie) {
      const token = tokens.write(position);
      ctx.set(POSITION_HEADER, token);
      // Pages of other origins can read only exposed headers.
      if (ctx.response.get('Access-Control-Allow-Origin')) ctx.append('Access-Control-Expose-Headers', POSITION_HEADER);
      if (!withCookie) return;
      const options = {
        httpOnly: true,
        sameSite: 'lax',
        secure: ctx.secure,
        path: '/',
        maxAge: LIFETIME * 1000,
      } as const;
      ctx.cookies.set(cookieName, token, options);
      if (!ctx.response.get('Cache-Control')) ctx.set('Cache-Control', 'private');
    },
  };
}

/** Whether a request only reads. */
export function isReadRequest({ method }: Context): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Whether a request other than a read may have written: after a 5xx it may have, after a 4xx it has not. */
export function mayHaveWritten({ method, status }: Context): boolean {
  return method !== 'OPTIONS' && (status < 400 || status >= 500);
}
