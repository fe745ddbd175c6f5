/** Sessions of users: signed tokens that name a user and the generation of tokens that they belong to. */
import { createSecretKey } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { late } from '../../base/late.ts';
import { createSecret } from './secrets.ts';

const ALGORITHM = 'HS256';
/** Seconds by which the clocks of two instances may differ. */
const CLOCK_SKEW = 5;
const MAX_LENGTH = 2048;
const MAX_VERIFIED = 5000;

export interface Session {
  readonly userId: number;
  readonly generation: number;
  /** The same in all tokens since somebody signed in. Undefined in those of earlier versions of the server. */
  readonly id: string | undefined;
  /** When somebody signed in, in seconds since 1970. */
  readonly startedAt: number;
}

interface Verified extends Session {
  /** In seconds since 1970. */
  readonly expires: number;
}

export interface Sessions {
  /** A token for the session, which ends with the session at the latest. */
  sign(session: Session): Promise<string>;
  /** The session of a token of ours; undefined for any other, and when it has expired. */
  verify(token: string): Session | undefined | Promise<Session | undefined>;
}

/** Loaded with the first session: a start doesn't need it. */
const loadJose = late(() => import('jose'));

function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}

/** `expires` is in seconds since 1970. */
function isCurrent(expires: number): boolean {
  return expires + CLOCK_SKEW > Date.now() / 1000;
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** What a new session begins with. */
export function newSession(): Pick<Session, 'id' | 'startedAt'> {
  return { id: createSecret(), startedAt: Math.floor(Date.now() / 1000) };
}

/**
 * `name` is the server's: two servers that share a secret do not share sessions. `tokenLifetime` is that of a token,
 * `lifetime` that of all tokens of a session together, from signing in; both are in seconds.
 */
export function createSessions(options: {
  readonly secret: string;
  readonly name: string;
  readonly tokenLifetime: number;
  readonly lifetime: number;
}): Sessions {
  const { secret, name, tokenLifetime, lifetime } = options;
  const key = createSecretKey(Buffer.from(secret, 'utf8'));
  const checks = {
    algorithms: [ALGORITHM],
    typ: 'JWT',
    issuer: name,
    audience: name,
    clockTolerance: CLOCK_SKEW,
    requiredClaims: ['iat', 'exp'],
  };
  // A signature costs as much as a whole request.
  const verified = new LRUCache<string, Verified>({ max: MAX_VERIFIED });

  async function check(token: string): Promise<Session | undefined> {
    const { jwtVerify } = await loadJose();
    try {
      const { payload } = await jwtVerify(token, key, checks);
      const { id, generation, iat, exp = 0, sid, auth_time: startedAt = iat } = payload;
      if (!isId(id) || typeof generation !== 'number' || !isTime(startedAt)) return undefined;
      if (sid !== undefined && typeof sid !== 'string') return undefined;
      // The lifetime may have become shorter since.
      const expires = Math.min(exp, startedAt + lifetime);
      if (!isCurrent(expires)) return undefined;
      const session = { userId: id, generation, id: sid, startedAt, expires };
      verified.set(token, session);
      return session;
    } catch {
      return undefined;
    }
  }

  return {
    async sign({ userId, generation, id, startedAt }) {
      const { SignJWT } = await loadJose();
      const now = Math.floor(Date.now() / 1000);
      return new SignJWT({ id: userId, generation, sid: id, auth_time: startedAt })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
        .setIssuer(name)
        .setAudience(name)
        .setIssuedAt(now)
        .setExpirationTime(Math.min(now + tokenLifetime, startedAt + lifetime))
        .sign(key);
    },
    verify(token) {
      if (token.length > MAX_LENGTH) return undefined;
      const known = verified.get(token);
      if (!known) return check(token);
      return isCurrent(known.expires) ? known : undefined;
    },
  };
}
