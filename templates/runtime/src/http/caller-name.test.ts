/** Who shares a limit: what a caller can choose must not decide it. */
import type { Context } from 'koa';
import { expect, test } from 'vitest';
import type { Caller } from '../contract/policy/caller.ts';
import { clientAddress } from './address.ts';
import { callerName } from './caller-name.ts';

const req = { socket: { remoteAddress: '10.9.9.9' } } as unknown as Context['req'];
const address = (ip: string) => clientAddress({ ip, req });

test('an address is the same however a proxy writes it, with a port or without', () => {
  for (const written of ['1.2.3.4', '1.2.3.4:5678', '::ffff:1.2.3.4', '[::ffff:1.2.3.4]:80']) {
    expect(address(written), written).toBe('1.2.3.4');
  }
  expect(address('[2001:db8:0:1::1]:443')).toBe('2001:db8:0:1::/64');
});

test('what is no address counts as the proxy', () => {
  for (const made of [
    'x',
    '',
    'unknown',
    '1.2.3.4.5',
    '1.2.3',
    '999.1.1.1',
    '_hidden',
    '1.2.3.4 a',
    'a'.repeat(9000),
  ]) {
    expect(address(made), made.slice(0, 20)).toBe('10.9.9.9');
  }
});

test('users and API tokens have limits of their own, visitors those of their address', () => {
  const nameOf = (caller: Partial<Caller> | undefined) => callerName({ ip: '1.2.3.4', req, state: { caller } });
  const token = { kind: 'token' } as const;
  const callers = [
    undefined,
    { kind: 'public' },
    { userId: 7 },
    { ...token, tokenId: 7 },
    { ...token, tokenId: 8, tokenOf: 7 },
  ];
  expect((callers as (Partial<Caller> | undefined)[]).map(nameOf)).toEqual([
    '1.2.3.4',
    '1.2.3.4',
    'user 7',
    'token 7',
    'token 8',
  ]);
});
