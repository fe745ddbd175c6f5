import { expect, test } from 'vitest';
import { BadRequestError } from '../contract/errors.ts';
import { parseQuery } from './parse-query-string.ts';

function parsed(text: string): unknown {
  return JSON.parse(JSON.stringify(parseQuery(text).tree()));
}

function message(text: string): string {
  try {
    parseQuery(text).tree();
  } catch (error) {
    if (error instanceof BadRequestError) return error.message;
    throw error;
  }
  return 'no error';
}

test('reads the spellings of all clients', () => {
  expect(parsed('filters%5Bname%5D=a%20b')).toEqual({ filters: { name: 'a b' } });
  expect(parsed('filters[name]=a+b,c:d')).toEqual({ filters: { name: 'a b,c:d' } });
  expect(parsed('pagination%5Bpage%5D=2&&sort=a&')).toEqual({ pagination: { page: '2' }, sort: 'a' });
  expect(parsed('a[$in]=1&a[$in]=2')).toEqual({ a: { $in: ['1', '2'] } });
  expect(parsed('a[5]=x&a[1]=y')).toEqual({ a: ['y', 'x'] });
  expect(parsed('fields[]=')).toEqual({ fields: [] });
  expect(parsed('')).toEqual({});
});

test('keeps long arrays arrays', () => {
  const indexed = Array.from({ length: 1200 }, (_, index) => `a[$in][${index}]=${index}`).join('&');
  const repeated = Array.from({ length: 1200 }, (_, index) => `a[$in][]=${index}`).join('&');
  for (const text of [indexed, repeated]) {
    expect(parsed(text)).toEqual({ a: { $in: Array.from({ length: 1200 }, (_, index) => String(index)) } });
  }
});

test('names of prototypes are names like any other, or refused; nothing is polluted', () => {
  expect(parsed('filters[constructor]=x&filters[toString]=1')).toEqual({
    filters: { constructor: 'x', toString: '1' },
  });
  expect(Object.getPrototypeOf(parseQuery('a[b]=1').tree()['a'])).toBeNull();
  expect(message('filters[__proto__][x]=1')).toBe('Invalid parameter __proto__');
  expect(message('filters[%5f_proto__]=1')).toBe('Invalid parameter __proto__');
  expect(({} as Record<string, unknown>)['x']).toBeUndefined();
});

test('refuses what is too long, too deep or has too many parts, with the limit', () => {
  expect(message(`a=${'x'.repeat(200_000)}`)).toContain('131072');
  expect(message(`a${'[b]'.repeat(1000)}=1`)).toContain('30 levels');
  expect(message('a=1&'.repeat(6000))).toContain('5000 parameters');
  expect(message('a[99999]=1')).toContain('1500 elements');
  expect(message(Array.from({ length: 1600 }, (_, index) => `a[${index}]=1`).join('&'))).toContain('1500 elements');
  expect(message('a=%00')).toContain('U+0000');
});
