/** Password hashing. */
import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto';
import { MAX_PASSWORD_LENGTH } from '../contract/attribute-types/password.ts';
import { compareBcrypt } from './bcrypt.ts';
import type { Client } from './client.ts';
import { onPoolThread } from './pool-threads.ts';
import { createWorkLimit, type WorkLimit } from './work-limit.ts';

/** The cost of new hashes unless a server sets another, as the binary logarithm of scrypt's N: 32 MiB and a quarter of a second. */
export const DEFAULT_PASSWORD_COST = 15;
const BLOCK_SIZE = 8;
const PARALLELISM = 3;
const SALT_BYTES = 16;
const KEY_BYTES = 32;

/** Upper bounds for the parameters of a stored hash, so that a manipulated row can't stall the server. */
const MAX_LOG_COST = 20;
const MAX_FACTOR = 32;

/** What a password is hashed for. Each purpose has a queue of its own, so that neither blocks the other. */
type Purpose = 'account' | 'content';

/** Each hash takes its memory and a thread of libuv's pool. */
const queues: Readonly<Record<Purpose, WorkLimit>> = {
  account: createWorkLimit({ atOnce: 2, waiting: 200 }),
  content: createWorkLimit({ atOnce: 1, waiting: 200 }),
};

/** How a hash is scheduled. */
export interface HashOptions {
  /** `account` (default): people who sign in, register or change a password; `content`: attributes of entries. */
  readonly purpose?: Purpose;
  /** If this client disconnects before the hash begins, it is not computed: ClientGoneError. */
  readonly client?: Client | undefined;
}

const HASH = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{22,88})\$([A-Za-z0-9+/]{22,88})$/;

/** Hashes of users imported from another system, until they sign in. */
const BCRYPT = /^\$2[aby]\$(\d{2})\$[./A-Za-z0-9]{53}$/u;
const MAX_BCRYPT_COST = 13;

interface Parameters {
  readonly logCost: number;
  readonly blockSize: number;
  readonly parallelism: number;
}

let current: Parameters = { logCost: DEFAULT_PASSWORD_COST, blockSize: BLOCK_SIZE, parallelism: PARALLELISM };

/** Sets the cost of new hashes in this process; others are replaced at the next sign-in. */
export function setPasswordCost(logCost: number): void {
  current = { ...current, logCost };
}

interface StoredHash extends Parameters {
  readonly salt: Buffer;
  readonly key: Buffer;
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

function derive(text: string, salt: Buffer, length: number, parameters: Parameters): Promise<Buffer> {
  const { logCost, blockSize: r, parallelism: p } = parameters;
  const N = 2 ** logCost;
  const options: ScryptOptions = { N, r, p, maxmem: 128 * r * (N + p + 2) };
  // Keyboards may compose the same character differently.
  const password = text.normalize('NFKC');
  const hash = () =>
    new Promise<Buffer>((resolve, reject) => {
      scrypt(password, salt, length, options, (error, key) => {
        if (error) reject(error);
        else resolve(key);
      });
    });
  return onPoolThread(hash);
}

function readHash(hash: string): StoredHash | undefined {
  const match = HASH.exec(hash);
  if (!match) return undefined;
  const [, logCost, blockSize, parallelism, salt = '', key = ''] = match;
  const stored = {
    logCost: Number(logCost),
    blockSize: Number(blockSize),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    key: Buffer.from(key, 'base64'),
  };
  const usable = [stored.blockSize, stored.parallelism].every((factor) => factor >= 1 && factor <= MAX_FACTOR);
  return usable && stored.logCost >= 1 && stored.logCost <= MAX_LOG_COST ? stored : undefined;
}

/** Takes the place of the key if there is no hash. */
const NO_KEY = Buffer.alloc(KEY_BYTES);

/** Whether a hash was made with other parameters than the current ones. */
export function needsRehash(hash: string): boolean {
  const stored = readHash(hash);
  return (
    !stored ||
    stored.logCost !== current.logCost ||
    stored.blockSize !== current.blockSize ||
    stored.parallelism !== current.parallelism ||
    stored.key.length !== KEY_BYTES
  );
}

/**
 * A salted scrypt hash with its parameters: `$scrypt$ln=15,r=8,p=3$salt$key`. The password is never truncated.
 * Throws HttpError 503 if the queue is full, and ClientGoneError.
 */
export async function hashPassword(text: string, { purpose = 'account', client }: HashOptions = {}): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const parameters = current;
  const key = await queues[purpose].run(() => derive(text, salt, KEY_BYTES, parameters), client);
  const { logCost, blockSize, parallelism } = parameters;
  return `$scrypt$ln=${logCost},r=${blockSize},p=${parallelism}$${base64(salt)}$${base64(key)}`;
}

/** Whether a hash is one of bcrypt that doesn't take too long to verify. */
function isBcrypt(hash: string): boolean {
  const cost = BCRYPT.exec(hash)?.[1];
  return cost !== undefined && Number(cost) <= MAX_BCRYPT_COST;
}

/** Verifies a bcrypt hash. Takes at least as long as for scrypt, so that the response time does not reveal who was imported. */
async function verifyBcrypt(text: string, hash: string): Promise<boolean> {
  const [isRight] = await Promise.all([compareBcrypt(text, hash), derive(text, NO_KEY, KEY_BYTES, current)]);
  return isRight;
}

/**
 * Whether `text` is the password of `hash`, which may be one of bcrypt. Without a usable hash (null: no such user) it
 * returns false after the same work, so that the response time does not reveal whether the user exists. Throws HttpError
 * 503 if the queue is full, and ClientGoneError.
 */
export async function verifyPassword(text: string, hash: string | null, client?: Client): Promise<boolean> {
  if (text.length > MAX_PASSWORD_LENGTH * 2) return false;
  if (hash !== null && isBcrypt(hash)) return queues.account.run(() => verifyBcrypt(text, hash), client);
  const stored = hash === null ? undefined : readHash(hash);
  const { salt, key: expected, ...parameters } = stored ?? { ...current, salt: randomBytes(SALT_BYTES), key: NO_KEY };
  const key = await queues.account.run(() => derive(text, salt, expected.length, parameters), client);
  return timingSafeEqual(key, expected) && stored !== undefined;
}
