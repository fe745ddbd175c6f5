/** Sessions: JWTs with a user id and a token generation, by which all JWTs of a user can be revoked. */
import { createSecretKey } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { lazyImport } from '../../base/lazy-import.ts';
import { createSecret } from './secrets.ts';

const ALGORITHM = 'HS256';
/** Tolerated clock skew between instances, in seconds. */
const CLOCK_SKEW = 5;
/** In characters. Longer tokens are invalid. */
const MAX_LENGTH = 2048;
const MAX_VERIFIED = 5000;

export interface Session {
  readonly userId: number;
  readonly generation: number;
  /** The same in all JWTs of one sign-in. Undefined in those of earlier versions of the server. */
  readonly id: string | undefined;
  /** Time of the sign-in, in seconds since 1970. */
  readonly startedAt: number;
}

export interface Verified extends Session {
  /** When the JWT was signed and when it expires, in seconds since 1970. */
  readonly signedAt: number;
  readonly expires: number;
}

export interface Sessions {
  /** A JWT for the session, which expires with the session at the latest. */
  sign(session: Session): Promise<string>;
  /** The session of a JWT; undefined if it is invalid or expired. */
  verify(token: string): Verified | undefined | Promise<Verified | undefined>;
}

/** Loaded lazily, since the start does not need it. */
const loadJose = lazyImport(() => import('jose'));

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

/** A session that starts now, with a new id. */
export function newSession(): Pick<Session, 'id' | 'startedAt'> {
  return { id: createSecret(), startedAt: Math.floor(Date.now() / 1000) };
}

/**
 * `name` is the issuer, so servers that share a secret do not share sessions. `audience` restricts where the JWTs are accepted.
 * `tokenLifetime` is the lifetime of one JWT, `lifetime` that of the session since the sign-in; both in seconds.
 */
export function createSessions(options: {
  readonly secret: string;
  readonly name: string;
  readonly audience: string;
  readonly tokenLifetime: number;
  readonly lifetime: number;
}): Sessions {
  const { secret, name, audience, tokenLifetime, lifetime } = options;
  const key = createSecretKey(Buffer.from(secret, 'utf8'));
  const checks = {
    algorithms: [ALGORITHM],
    typ: 'JWT',
    issuer: name,
    audience,
    clockTolerance: CLOCK_SKEW,
    requiredClaims: ['iat', 'exp'],
  };
  // Verifying a signature costs as much as a whole request.
  const verified = new LRUCache<string, Verified>({ max: MAX_VERIFIED });

  async function check(token: string): Promise<Verified | undefined> {
    const { jwtVerify } = await loadJose();
    try {
      const { payload } = await jwtVerify(token, key, checks);
      const { id, generation, iat = 0, exp = 0, sid, auth_time: startedAt = iat } = payload;
      if (!isId(id) || typeof generation !== 'number' || !isTime(startedAt)) return undefined;
      if (sid !== undefined && typeof sid !== 'string') return undefined;
      // The configured lifetime may have been shortened since.
      const expires = Math.min(exp, startedAt + lifetime);
      if (!isCurrent(expires)) return undefined;
      const session = { userId: id, generation, id: sid, startedAt, signedAt: iat, expires };
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
        .setAudience(audience)
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
