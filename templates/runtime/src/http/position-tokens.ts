/** How callers carry a place in the log of the database from one request to the next: in a header and in a cookie. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';
import { LATEST, type Position } from '../base/read-point.ts';

/** Of requests and answers. */
export const POSITION_HEADER = 'X-Content-Position';

/** How long a position is taken, in seconds: replicas that are that far behind are not read anyway. */
const LIFETIME = 3600;
/** The same of one that says "the latest", which only the server that is written to can answer. */
const LATEST_LIFETIME = 60;
/** Characters of a signature: 96 bits. */
const SIGNATURE_LENGTH = 16;
const FORM = /^(?<position>[0-9a-z]{1,13})\.(?<time>[0-9a-z]{1,8})\.(?<signature>[\w-]{16})$/u;
/** In place of a position. */
const LATEST_NAME = 'latest';
const RADIX = 36;

/** Positions as clients keep them. */
export interface PositionTokens {
  write(position: Position): string;
  /** Undefined for what this server, or another one with its secret, has not written, or not lately. */
  read(token: string): Position | undefined;
}

/** They are signed: whoever wants to burden the server that is written to, by positions that no replica has, needs to write for each. */
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
  /** The same in all instances. */
  readonly secret: string;
}

/** What a request says of the position. */
export interface GivenPosition {
  readonly position: Position | undefined;
  readonly hasHeader: boolean;
  readonly hasCookie: boolean;
}

/** Positions in requests and answers. */
export interface Positions {
  given(ctx: Context): GivenPosition;
  tell(ctx: Context, position: Position, withCookie: boolean): void;
}

/** The later of two positions. */
export function laterOf(a: Position | undefined, b: Position | undefined): Position | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

export function createPositions({ name, secret }: PositionOptions): Positions {
  const tokens = createPositionTokens(secret);
  // Servers of several projects may share a host, and cookies know no ports.
  const cookieName = `${name.replaceAll(/[^\w-]/gu, '_')}_position`;
  return {
    given(ctx) {
      const header = ctx.get(POSITION_HEADER);
      const cookie = ctx.get('Cookie') === '' ? undefined : ctx.cookies.get(cookieName);
      const position = laterOf(tokens.read(header), cookie === undefined ? undefined : tokens.read(cookie));
      return { position, hasHeader: header !== '', hasCookie: cookie !== undefined };
    },
    tell(ctx, position, withCookie) {
      const token = tokens.write(position);
      ctx.set(POSITION_HEADER, token);
      // Pages of other sites see only the headers that are named.
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

/** Whether a request that is not one that only reads may have written: what is refused has not; what failed may have. */
export function mayHaveWritten({ method, status }: Context): boolean {
  return method !== 'OPTIONS' && (status < 400 || status >= 500);
}
