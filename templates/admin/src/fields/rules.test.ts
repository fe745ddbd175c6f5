import { expect, it } from 'vitest';
import type { Attribute, ScalarAttribute } from '../model/model.ts';
import { brokenRule } from './rules.ts';

function rule(value: unknown, attribute: Parameters<typeof brokenRule>[1], isDraft = false): string | undefined {
  const broken = brokenRule(value, attribute, isDraft);
  return (
    broken &&
    [
      broken.message,
      ...Object.entries(broken.args)
        .filter(([name]) => name !== '_')
        .flat(),
    ].join(' ')
  );
}

it.each<[ScalarAttribute, unknown, string | undefined]>([
  [{ type: 'email' }, 'ada@example.org', undefined],
  [{ type: 'email' }, 'ada@example..org', 'rules.email'],
  [{ type: 'email' }, 'a(b)@example.org', 'rules.email'],
  [{ type: 'decimal', max: '0.3' }, '0.30000000000000000001', 'rules.max max 0.3'],
  [{ type: 'decimal', max: '0.3' }, '0.3000', undefined],
  [{ type: 'decimal' }, `0.${'1'.repeat(31)}`, 'rules.digits before 35 after 30'],
  [{ type: 'biginteger', min: '9007199254740993' }, '9007199254740992', 'rules.min min 9007199254740993'],
  [{ type: 'integer' }, 2_147_483_648, 'rules.range min -2147483648 max 2147483647'],
  [{ type: 'integer' }, '1.5', 'rules.integer'],
  [{ type: 'float' }, 'x', 'rules.number'],
  [{ type: 'uid' }, 'größe', 'rules.uid'],
  [{ type: 'string', unique: true }, 'a'.repeat(256), 'rules.maxLength max 255'],
  [{ type: 'string', maxLength: 2 }, '😀😀', undefined],
  [{ type: 'string', regex: '^a+$' }, 'b', 'rules.regex regex /^a+$/u'],
  [{ type: 'enumeration', enum: ['a', 'b'] }, 'c', 'rules.enum values a, b'],
  [{ type: 'datetime' }, '+012024-01-01T00:00:00.000Z', 'rules.datetime'],
  [{ type: 'json' }, { __proto__: null, constructor: { prototype: 1 } }, 'rules.json key constructor'],
])('%j refuses what the server refuses: %j', (attribute, value, expected) => {
  expect(rule(value, attribute)).toBe(expected);
});

it('drafts may lack required values and be too short; empty values are only missing', () => {
  const title: ScalarAttribute = { type: 'string', required: true, minLength: 3, regex: '^x' };
  expect(rule(null, title)).toBe('rules.required');
  expect(rule('xa', title)).toBe('rules.minLength min 3');
  expect([rule(null, title, true), rule('xa', title, true)]).toEqual([undefined, undefined]);
  expect(rule('', { type: 'string', minLength: 3 })).toBeUndefined();
  expect(rule(null, { type: 'uid', required: true })).toBeUndefined();
  expect(rule(undefined, title)).toBeUndefined();
});

it('lists of items have bounds, of which drafts may miss the lower one', () => {
  const links: Extract<Attribute, { type: 'component' }> = {
    type: 'component',
    component: 'link',
    repeatable: true,
    min: 2,
    max: 3,
  };
  expect(rule([{}], links)).toBe('rules.minItems min 2');
  expect(rule([{}, {}, {}, {}], links)).toBe('rules.maxItems max 3');
  expect([rule([{}], links, true), rule([], links), rule([{}, {}], links)]).toEqual([undefined, undefined, undefined]);
  expect(rule([], { ...links, required: true })).toBe('rules.required');
});
