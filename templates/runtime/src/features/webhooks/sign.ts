/** Signatures of Standard Webhooks. */
import { createHmac } from 'node:crypto';

const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/u;
const [MIN_LENGTH, MAX_LENGTH, MAX_KEYS] = [24, 64, 2];

/** The keys in a secret: one or, separated by spaces, two; undefined if it has another form. */
export function keysOf(secret: string): readonly Buffer[] | undefined {
  const keys: Buffer[] = [];
  for (const part of secret.split(/\s+/u)) {
    const key = Buffer.from(SECRET.exec(part)?.[1] ?? '', 'base64');
    if (key.length < MIN_LENGTH || key.length > MAX_LENGTH) return undefined;
    keys.push(key);
  }
  return keys.length <= MAX_KEYS ? keys : undefined;
}

/** What is sent: its id, the same in each try, and the text. */
export interface Message {
  readonly id: string;
  readonly body: string;
}

/** The headers of a try at a time, in milliseconds since 1970. */
export function signedHeaders(
  { id, body }: Message,
  keys: readonly Buffer[],
  now: number,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(now / 1000));
  const signatures = keys.map(
    (key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  );
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
