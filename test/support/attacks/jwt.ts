/** Forges tokens, with a choice of defects. */
import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';
import { JWT_SECRET } from './server.ts';

const KEYS = generateKeyPairSync('rsa', { modulusLength: 2048 });

function part(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
}

export interface Forged {
  readonly header?: Readonly<Record<string, unknown>>;
  readonly payload?: unknown;
  readonly secret?: string;
  /** `none`: an empty signature. */
  readonly with?: 'sha256' | 'sha384' | 'sha512' | 'rsa' | 'none';
}

/** The payload of a valid token of the user `id`. */
export function goodPayload(id: number): Readonly<Record<string, unknown>> {
  const now = Math.floor(Date.now() / 1000);
  return { id, generation: 0, iss: 'attacked', aud: 'attacked', iat: now, exp: now + 3600 };
}

/** A token, which is valid unless a part is overridden. */
export function forge({ header, payload, secret = JWT_SECRET, with: how = 'sha256' }: Forged): string {
  const text = `${part({ alg: 'HS256', typ: 'JWT', ...header })}.${part(payload)}`;
  if (how === 'none') return `${text}.`;
  if (how === 'rsa') return `${text}.${createSign('sha256').update(text).sign(KEYS.privateKey, 'base64url')}`;
  return `${text}.${createHmac(how, secret).update(text).digest('base64url')}`;
}
