/** Sessions of users: signed tokens that name a user and the generation of tokens that they belong to. */
import { createSecretKey } from 'node:crypto';
import { LRUCache } from 'lru-cache';

const ALGORITHM = 'HS256';
/** Seconds by which the clocks of two instances may differ. */
const CLOCK_SKEW = 5;
const MAX_LENGTH = 2048;
const MAX_VERIFIED = 5000;

export interface Session {
  readonly userId: number;
  readonly generation: number;
}

interface Verified extends Session {
  /** In seconds since 1970. */
  readonly expires: number;
}

export interface Sessions {
  /** A token for the session. */
  sign(session: Session): Promise<string>;
  /** The session of a token of ours; undefined for any other, and when it has expired. */
  verify(token: string): Session | undefined | Promise<Session | undefined>;
}

/** Loaded with the first session: a start doesn't need it. */
function loadJose() {
  return import('jose');
}

function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}

/** `name` is the server's: two servers that share a secret do not share sessions. `lifetime` is in seconds. */
export function createSessions(options: {
  readonly secret: string;
  readonly name: string;
  readonly lifetime: number;
}): Sessions {
  const { secret, name, lifetime } = options;
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
      const { id, generation, exp = 0 } = payload;
      if (!isId(id) || typeof generation !== 'number') return undefined;
      const session = { userId: id, generation, expires: exp };
      verified.set(token, session);
      return session;
    } catch {
      return undefined;
    }
  }

  return {
    async sign({ userId, generation }) {
      const { SignJWT } = await loadJose();
      const now = Math.floor(Date.now() / 1000);
      return new SignJWT({ id: userId, generation })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
        .setIssuer(name)
        .setAudience(name)
        .setIssuedAt(now)
        .setExpirationTime(now + lifetime)
        .sign(key);
    },
    verify(token) {
      if (token.length > MAX_LENGTH) return undefined;
      const known = verified.get(token);
      if (!known) return check(token);
      return known.expires + CLOCK_SKEW > Date.now() / 1000 ? known : undefined;
    },
  };
}
